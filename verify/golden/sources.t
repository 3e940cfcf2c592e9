#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# sources.t - C files as subjects: hidden functions, --wrap, --compdb

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Cwd qw(getcwd);
use Golden;
use JSON::PP;
use Test::More;

my $from = getcwd();
chdir scratch() or die;

# A benchmark of its time: static functions, a main, a macro with a fault in it.
write_file('old.c', <<'C');
#include "part.h"
int caches[100 * 1024 * 1024]; /* more than is ever loaded */
static void bytes_copy_page(void *to, void *from)
{
    int i;
    for (i = 0; i < PAGE; i++)
        ((volatile char *)to)[i] = ((char *)from)[i];
}
static inline void short_copy_page(void *to, void *from)
{
    int i;
    for (i = 0; i < PAGE - 1; i++)
        ((volatile char *)to)[i] = ((char *)from)[i];
}
static __inline__ void other(void *to) { (void)to; }
int main(void)
{
    char a[2 * PAGE];
    bytes_copy_page(a, a + PAGE);
    return a[0];
}
C
write_file('part.h', <<'C');
#define PAGE 4096
#define wipe(mem, pages, more)                                                   \
    do {                                                                         \
        long d0, d1;                                                             \
        __asm__ __volatile__("1: movb $0, (%1)\n\tinc %1\n\tdec %0\n\tjg 1b"     \
                             : "=&r"(d0), "=&r"(d1)                              \
                             : "0"((pages) * 4096L + (more)), "1"(mem)           \
                             : "memory");                                        \
    } while (0)
C

my ($exit, $out, $err) = tool('verify', 'old.c:*_copy_page', '--budget', 'quick');
ok($exit == 1 && $out =~ /^pass  old\.c:bytes_copy_page /m
        && $out =~ /^fail  old\.c:short_copy_page /m, 'static functions by a glob')
    or diag("$out$err");
($exit, $out, $err) = tool(replay_words($out));
ok($exit == 1 && $out =~ /wrong-bytes/, 'and by the replay line') or diag("$out$err");
refused(qr/old\.c: no function "shrot_copy_page"; nearest is "short_copy_page"/,
    'verify', 'old.c:shrot_copy_page');


# list: what a compiler would drop is there; what the CPU lacks is marked.
($exit, $out, $err) = tool('list', 'old.c');
like($out, qr/^$_->[0] +\d+ +$_->[1] /m, "list FILE.c: $_->[0]") or diag("$out$err")
    for ['bytes_copy_page', 'local'], ['other', 'local'], ['main', 'global'];
my (undef, $doctor) = tool('doctor');
my ($lacking) = $doctor =~ /^  not in CPU +.*\b(sse4a|xop|fma4|tbm)\b/m;
my %insn = (sse4a => 'movntss %xmm0, (%rdi)', xop => 'vfrczps %xmm0, %xmm0',
    fma4 => 'vfmaddps %xmm0, %xmm0, %xmm0, %xmm0', tbm => 'blcs %eax, %eax');
write_file('needs.S', <<"S");
        .globl  plain, rare, tls
        .type   plain, \@function
plain:  ret
        .size   plain, 1
        .type   rare, \@function
rare:   @{[$insn{$lacking // 'sse4a'}]}
        ret
        .size   rare, . - rare
        .section .text.tls, "ax", \@progbits
        .type   tls, \@function
tls:    mov x\@gottpoff(%rip), %rax
        ret
        .size   tls, . - tls
        .section .tbss, "awT", \@nobits
x:      .zero   4
S
($exit, $out, $err) = tool('list', 'needs.S');
like($out, qr/^plain +1 +global +- +-$/m, 'list FILE.S') or diag("$out$err");
like($out, qr/^rare .* missing here: $lacking$/m, "$lacking is missing") if $lacking;
like($out, qr/^tls .*thread-local/m, 'what cannot be loaded is listed with the reason');

# --wrap
my @zero = ('--proto', 'void t(void d[4096])', '--op', 'zero', '--budget', 'quick');
for my $row (
    ['old.c:t', 'void t(void *d) { wipe(d, 1, 0); }',        0],
    ['old.c',   'static void t(void *d) { wipe(d, 1, 1); }', 1],
    ['part.h',  'void t(void *d) { wipe(d, 1, 0); }',        0],
    ['part.h',  'void t(void *d) { wipe(d, 1, 8); }',        1],
) {
    my ($subject, $text, $faulty) = @$row;
    ($exit, $out, $err) = tool('verify', $subject, '--wrap', $text, @zero);
    my $said = $faulty ? $out =~ /^$subject[:t]*: stray-write: \d+ bytes? past the end of d/m
        : $out =~ /^1 pass,/m;
    ok($exit == $faulty && $said, "$subject --wrap '$text'") or diag("$out$err");
    next unless $faulty;
    my @words = replay_words($out);
    ok((grep { $_ eq $text } @words), 'the replay line holds the wrapper');
    ($exit, $out, $err) = tool(@words);
    ok($exit == 1 && $out =~ /stray-write/, 'and replays it') or diag("@words\n$out$err");
}
refused(qr/part\.h cannot be built: --wrap:2:\d+: error: /,
    'verify', 'part.h', '--wrap', "void t(void *d)\n{ wipe(d, 1, no) }", @zero);
refused(qr/--wrap: no function is defined in "int x;"/, 'verify', 'old.c', '--wrap', 'int x;');
refused(qr/--wrap belongs to a FILE\.c or FILE\.h/,
    'verify', '--builtin', '--wrap', 'void t(void) { }');
refused(qr/part\.h: a header alone holds no kernel; --wrap/, 'verify', 'part.h:t', @zero);

# --compdb: the flags decide on the verdict, so a wrong entry shows.
mkdir 'proj';
mkdir 'proj/src';
mkdir 'proj/inc';
mkdir 'proj/build';
write_file('proj/inc/more.h', "#define MORE (SHORT)\n");
my $kernel = <<'C';
#include <more.h>
void my_bzero(char *to, unsigned long n)
{
    while (n-- > MORE)
        *(volatile char *)to++ = 0;
}
C
write_file("proj/src/$_.c", $kernel) for qw(right wrong twice spare);

sub entry
{
    my ($name, $short, %more) = @_;
    return { directory => scratch() . '/proj/build', file => "../src/$name.c",
        command => "cc -O1 '-DSHORT=$short' -I../inc -Werror -MD -MF $name.d -MT x.o " .
            "-o $name.o -c ../src/$name.c", %more };
}
my $right = entry('right', 0);
my $wrong = entry('wrong', 0);
delete $wrong->{command};
$wrong->{arguments} = ['cc', '-I', '../inc', '-DSHORT=1', '-ox.o', '-c',
    scratch() . '/proj/src/wrong.c'];
$wrong->{file} = scratch() . '/proj/src/wrong.c';
my $db = write_file('proj/cc.json',
    encode_json([$right, $wrong, entry('twice', 0), entry('twice', 1)]));

my @quick = ('--compdb', 'proj/cc.json', '--budget', 'quick');
($exit, $out, $err) = tool('verify', 'proj/src/right.c:my_bzero', @quick);
is($exit, 0, 'an entry with a command') or diag("$out$err");
($exit, $out, $err) = tool('verify', 'proj/src/wrong.c:my_bzero', @quick);
ok($exit == 1 && $out =~ /wrong-bytes/, 'an entry with arguments') or diag("$out$err");
my @words = replay_words($out);
($exit, $out, $err) = tool(@words);
ok($exit == 1 && "@words" =~ /--compdb/, 'its replay') or diag("@words\n$out$err");
($exit, $out, $err) = tool('verify', 'proj/src/twice.c:my_bzero', @quick);
ok($exit == 0 && $out =~ /2 entries for proj\/src\/twice\.c, the first is used/,
    'two entries: the first') or diag("$out$err");
($exit, $out, $err) = tool('verify', 'proj/src/right.c:my_bzero', @quick,
    '--cflags', '-USHORT -DSHORT=2');
is($exit, 1, '--cflags are appended') or diag("$out$err");
is_deeply([glob 'proj/build/*'], [], 'nothing is written where the compiler ran');
refused(qr/cc\.json: no entry for proj\/src\/spare\.c/, 'verify', 'proj/src/spare.c:my_bzero',
    @quick);
write_file('proj/src/rihgt.c', $kernel);
refused(qr/no entry for proj\/src\/rihgt\.c; nearest is "\.\.\/src\/right\.c"/,
    'verify', 'proj/src/rihgt.c:my_bzero', @quick);
for my $row (['{}', qr/is an array of entries/], ['[', qr/cc\.json: /],
    ['[1, null, {"file": 7}, {}]', qr/no entry for/], ['[]', qr/no entry for/],
    [encode_json([{ %$right, command => '' }]), qr/the entry of .*right\.c has no command/],
    [encode_json([{ %$right, command => "'" }]), qr/a quote is not closed/])
{
    write_file('proj/cc.json', $row->[0]);
    refused($row->[1], 'verify', 'proj/src/right.c:my_bzero', @quick);
}
unlink $db;
refused(qr/cc\.json/, 'verify', 'proj/src/right.c:my_bzero', @quick);

# The ABI decides on the compiler's flags, and contradicts them.
write_file('abi.c', <<'C');
int pages = 1;
int main(void)
{
    return pages;
}
static void abi_bzero(char *to, unsigned n)
{
    unsigned i;
    for (i = 0; i < n * pages; i++)
        ((volatile char *)to)[i] = 0;
}
C
my @abi = ('verify', 'abi.c', '--budget', 'quick', '--abi');
my $is32 = qr/^1 pass,|32-bit code segment/m;
for my $abi ('i386', 'regparm3') {
    ($exit, $out, $err) = tool(@abi, $abi);
    like($out, $is32, "abi = $abi implies the flags") or diag($err);
    ($exit, $out, $err) = tool(@abi, $abi, '--cflags', '-O1 -m32 -fpic');
    like($out, $is32, "abi = $abi beside -m32, and no helper of -fpic is a function")
        or diag($err);
}
SKIP: {
    skip('no 32-bit code here', 1) if $out =~ /code segment/;
    ($exit, $out, $err) = tool(@abi, 'regparm3', '--cflags', '-O1 -mregparm=0');
    is($exit, 1, '-mregparm of the flags is left alone') or diag("$out$err");
}
($exit, $out, $err) = tool(@abi, 'ms64');
is($exit, 1, 'ms64 needs no flags, and the source does not follow it') or diag("$out$err");
refused(qr/abi\.c: abi = $_ is no ABI of 32-bit code/, @abi, $_, '--cflags', '-m32')
    for 'ms64', 'sysv64';

chdir $from;
done_testing();
