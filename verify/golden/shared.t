#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# shared.t - kernels out of shared objects: by name, by version, by address

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# Link a text into NAME.so; its path.  Nothing but the text is in it.
sub link_shared
{
    my ($name, $text, @options) = @_;
    my $source = write_file("$name.S", $text);
    my $object = scratch() . "/$name.so";
    system('gcc', '-shared', '-nostdlib', '-o', $object, $source, @options) == 0
        or die "cannot link $name\n";
    return $object;
}

# Where the linker put a symbol.
sub address_of
{
    my ($object, $name) = @_;
    my ($address) = qx{nm '$object'} =~ /^([0-9a-f]+) \w \Q$name\E$/m or die "$name\n";
    return sprintf '0x%x', hex $address;
}

my $text = <<'ASM';
        .macro  function name, visibility=globl
        .\visibility \name
        .type   \name, @function
\name:
        .endm
        function memcpy
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
        .size   memcpy, . - memcpy
        function old
        mov     %rdi, %rax
        lea     1(%rdx), %rcx
        rep movsb
        ret
        .size   old, . - old
        .symver old, memmove@V1, remove
        function new
        .globl  new
        mov     %rdi, %rax
        mov     %rdi, %rcx
        sub     %rsi, %rcx
        cmp     %rdx, %rcx
        mov     %rdx, %rcx
        jae     1f
        lea     -1(%rdi,%rdx), %rdi
        lea     -1(%rsi,%rdx), %rsi
        std
        rep movsb
        cld
        ret
1:      rep movsb
        ret
        .size   new, . - new
        .symver new, memmove@@V2, remove
        function local_memcpy, local
        jmp     memcpy@PLT
        .size   local_memcpy, . - local_memcpy
        function long_memcpy
        mov     %rdi, %rax
        mov     %rdx, %rcx
        inc     %rcx
        rep movsb
        ret
        .size   long_memcpy, . - long_memcpy
        function limited_memcpy
        mov     limit@GOTPCREL(%rip), %rax
        cmp     (%rax), %rdx
        jb      memcpy@PLT
        call    fail
        mov     %rdi, %rax
        ret
        .size   limited_memcpy, . - limited_memcpy
        function fail, local
        ud2
        .size   fail, . - fail
        function lost_memcpy
        jmp     outside@PLT
        .size   lost_memcpy, . - lost_memcpy
        function hidden_bzero, hidden
        .globl  hidden_bzero
        mov     %rsi, %rcx
        xor     %eax, %eax
        rep stosb
        ret
        .size   hidden_bzero, . - hidden_bzero
        .globl  memset, __memset_fast
        .type   memset, @gnu_indirect_function
        .type   __memset_fast, @function
memset: mov     __memset_fast@GOTPCREL(%rip), %rax
        ret
        .size   memset, . - memset
__memset_fast:
        mov     %rdi, %r8
        mov     %esi, %eax
        mov     %rdx, %rcx
        rep stosb
        mov     %r8, %rax
        ret
        .size   __memset_fast, . - __memset_fast
        function fill
        jmp     memset@PLT
        .size   fill, . - fill
        function start
        ud2
        .section .init_array, "aw"
        .quad   start
        .data
        .globl  limit
        .type   limit, @object
        .size   limit, 8
limit:  .quad   100
        .section .note.GNU-stack
ASM
my $script = write_file('versions', "V1 { };\nV2 { global: *; } V1;\n");
my $object = link_shared('kernels', $text, "-Wl,--version-script=$script", '-g');
my $bare = link_shared('bare', $text, "-Wl,--version-script=$script", '-s');
my @quick = ('--budget', 'quick');

# Right ones; the constructor would have killed whoever opened the object.
my ($exit, $out, $err) = tool('verify', @quick, map { "$object:$_" }
    qw(memcpy memmove local_memcpy hidden_bzero __memset_fast));
is($exit, 0, 'right kernels pass') or diag("$out$err");
like($out, qr/^pass  \Q$object\E:$_  2,500 cases/m, $_) for qw(memcpy local_memcpy);

# Wrong ones are named, with their source.
($exit, $out) = tool('verify', @quick, "$object:long_memcpy");
is($exit, 1, 'a wrong kernel fails') or diag($out);
like($out, qr/long_memcpy: stray-write: /, 'and is named');
($exit, $out) = tool('verify', @quick, "$object:long_memcpy", "$object:lost_memcpy");
like($out, qr/lost_memcpy: crash: called undefined symbol outside; define it: stub = outside/,
    'an undefined function that is called');
($exit, $out) = tool('verify', @quick, "$object:long_memcpy");
my @replay = replay_words($out);
($exit, $out) = tool(@replay);
is($exit, 1, 'its replay line shows it again') or diag($out);
my @lines = split /\n/, $text;
my ($line) = grep { $lines[$_ - 2] =~ /function fail/ } 2 .. @lines;    # counts from 1
($exit, $out) = tool('verify', @quick, "$object:limited_memcpy");
like($out, qr/where +fail\+0x0  ud2  \S*kernels\.S:$line$/m, 'and DWARF tells its line')
    or diag($out);

# An IFUNC is not run, neither by name nor by a call.
refused(qr/"memset" is an IFUNC resolver, which is not run; name one of .*: __memset_fast$/,
    'verify', "$object:memset");
refused(qr/IFUNC resolvers, which are not run: memset$/, 'verify', "$object:memset*");
($exit, $out) = tool('verify', @quick, "$object:fill", '--as', 'memset');
is($exit, 3, 'a call to one leaves it open');
like($out, qr/fill .*calls IFUNC memset, which cannot be had here$/m, 'that names it');
($exit, $out, $err) = tool('verify', @quick, "$object:*memset*");
is($exit, 0, 'a glob leaves it out') or diag("$out$err");
like($out, qr/^\Q$object\E: left out, IFUNC resolvers: memset \(1\)$/m, 'and says so');
($exit, $out) = tool('list', $object);
like($out, qr/^memset +\d+  global  memset +IFUNC resolver$/m, 'list marks it');
($exit, $out) = tool('list', '--format', 'jsonl', $object);
my %ifunc = map { $_->{symbol} => $_->{ifunc} } json_lines($out);
ok($ifunc{memset} && !$ifunc{memcpy}, 'also in JSON');

# Versions.
($exit, $out, $err) = tool('verify', @quick, "$bare:memmove\@V1");
is($exit, 1, 'the old version is wrong') or diag("$out$err");
like($out, qr/memmove\@V1: stray-write/, 'and named with its version');
($exit, $out) = tool(replay_words($out));
is($exit, 1, 'replayed under that name');
for my $name (qw(memmove memmove@V2 memmove@@V2)) {
    ($exit) = tool('verify', @quick, "$bare:$name");
    is($exit, 0, "$name is the right one");
}
refused(qr/no symbol "memmove\@V3"; nearest is "memmove"/, 'verify', "$bare:memmove\@V3");

# Without .symtab: what is not exported is had by its address.
refused(qr/no symbol "local_memcpy"/, 'verify', "$bare:local_memcpy");
my ($local, $long) = map { address_of($object, $_) } qw(local_memcpy long_memcpy);
($exit, $out, $err) = tool('verify', @quick, '--as', 'memcpy', "$bare\@$local");
is($exit, 0, 'by address') or diag("$out$err");
like($out, qr/^pass  \Q$bare\E\@$local /m, 'and named like that');
my $ini = write_file('at.ini', <<"INI");
[long]
object = bare.so
address = $long
proto = void *f(void dst[n], const void src[n], size_t n)
op = copy
INI
($exit, $out) = tool('verify', @quick, '--contract', $ini);
is($exit, 1, 'a wrong one by the key address') or diag($out);
like($out, qr/^long: stray-write/m, 'is named after its section');
refused(qr/there is no code at address 0x1$/, 'verify', '--as', 'memcpy', "$bare\@0x1");

# A word of the object itself, by name and by address, decides what its code does.
my $limit = address_of($object, 'limit');
for my $case ([$object, 'limit'], [$bare, $limit]) {
    my ($file, $name) = @$case;
    ($exit, $out) = tool('verify', @quick, "$file:limited_memcpy");
    is($exit, 1, "$name as it is") or diag($out);
    ($exit, $out, $err) = tool('verify', @quick, "$file:limited_memcpy", '--set',
        "$name:0xffffffffffffffff");
    is($exit, 0, "$name set") or diag("$out$err");
}

# A function that the object itself defines and calls.
($exit, $out) = tool('verify', @quick, "$object:limited_memcpy", '--stub', 'fail');
like($out, qr/limited_memcpy: wrong-bytes/, 'a stub for it returns instead') or diag($out);

# A PIE is no different; a program at a fixed address is refused.
my $main = write_file('main.c', 'void my_bzero(char *d, unsigned long n)'
        . '{ while (n--) *d++ = 0; } int main(void) { __builtin_trap(); }');
my $pie = scratch() . '/pie';
system("gcc -O1 -pie -fPIE -o '$pie' '$main'") == 0 or die;
($exit, $out, $err) = tool('verify', @quick, "$pie:my_bzero");
is($exit, 0, 'a function of a program') or diag("$out$err");
system("gcc -O1 -no-pie -fno-pie -o '$pie' '$main'") == 0 or die;
refused(qr/linked program at a fixed address/, 'verify', "$pie:my_bzero");

# Code of i386 runs as such.
my $narrow = link_shared('narrow', <<'END', '-m32');
.globl my_bzero
my_bzero:
        push %edi
        mov 8(%esp), %edi
        mov 12(%esp), %ecx
        xor %eax, %eax
        rep stosb
        pop %edi
        ret
END
($exit, $out, $err) = tool('verify', @quick, "$narrow:my_bzero");
is($exit, 0, 'a function of an i386 object') or diag("$out$err");

done_testing();
