#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# thresholds.t - libc's threshold words: two kernels of each that uses one

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# Above the threshold: with non-temporal stores, and wrong when n % 64 is 7.
my $text = <<'ASM';
        .macro  function name
        .section .text.\name, "ax", @progbits
        .p2align 4
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  copy name, word
        function \name
        mov     %rdi, %rax
        mov     %rdx, %rcx
        cmp     \word(%rip), %rdx
        jae     1f
        rep movsb
        ret
1:      lea     -1(%rdx), %r8
        mov     %edx, %r9d
        and     $63, %r9d
        cmp     $7, %r9d
        cmove   %r8, %rcx
        rep movsb
        sfence
        ret
        .size   \name, . - \name
        .endm
        copy    memcpy_large, __x86_shared_non_temporal_threshold
        copy    memcpy_own, own_threshold
        copy    memcpy_local, __x86_data_cache_size
        function memcpy_chk_calls
        mov     %rdi, %rax
        mov     %rdx, %rcx
        cmp     $-1, %rdx
        je      __chk_fail
        rep movsb
        ret
        .size   memcpy_chk_calls, . - memcpy_chk_calls
        function memcpy_fails
        mov     %rdi, %rax
        mov     %rdx, %rcx
        cmp     $100, %rdx
        je      1f
        rep movsb
        ret
1:      call    __chk_fail
        .size   memcpy_fails, . - memcpy_fails
        function memcpy_same
        mov     %rdi, %rax
        mov     %rdx, %rcx
        cmpl    $0, __x86_prefetchw(%rip)
        rep movsb
        ret
        .size   memcpy_same, . - memcpy_same
        .data
        .globl  own_threshold, __x86_data_cache_size
own_threshold:
        .quad   0x10000
__x86_data_cache_size:
        .quad   0x80000
ASM
my $object = assemble('large', $text);
my $name = "$object:memcpy_large";
my $small = "$name (small thresholds)";
my @quick = ('--budget', 'quick');

my ($exit, $out, $err) = tool('verify', $name, @quick);
ok($exit == 1 && $out =~ /^pass  \Q$name\E  /m && $out =~ /^fail  \Q$small\E  /m,
    'only the small thresholds show the fault')
    or diag("$out$err");
is(() = $out =~ /guessed from the name/g, 1, 'one guess for both');
unlike($out, qr/^promise/m, 'and no promise of the caller');
like($out, qr/^1 pass, 1 fail, 0 skip, 0 inconclusive, 1 finding /m, 'both are counted');
like($out, qr/^\Q$small\E: wrong-bytes: .*\n +case +v1 n=16455\b/m, 'with its smallest case');
my @words = replay_words($out);
ok((grep { /^__x86_shared_non_temporal_threshold:16448$/ } @words), 'the replay line says which')
    or diag("@words");
($exit, $out, $err) = tool(@words);
ok($exit == 1 && $out =~ /wrong-bytes/, 'and replays it') or diag("$out$err");
($exit, $out, $err) = tool('replay', $name, 'v1 n=16455');
is($exit, 3, 'replay of the plain name has the usual thresholds') or diag("$out$err");

($exit, $out) = tool('contract', $name);
is(() = $out =~ /^\[/mg, 1, 'one contract is printed');
unlike($out, qr/^set/m, 'without values nobody gave');

# Options of the kernel stay in the small one's replay line.
($exit, $out, $err) = tool('verify', $name, @quick, '--set', 'unused:5', '--align', '1');
@words = replay_words($out);
is(join(' ', grep { /^unused/ } @words), 'unused:5 __x86_shared_non_temporal_threshold:16448',
    '--set is merged');
($exit, $out) = tool(@words);
is($exit, 1, 'and replays');

# Who defines the word has the last say.
for my $row (
    [$name, 'set in the contract', '--set', '__x86_shared_non_temporal_threshold:0x100000'],
    ["$object:memcpy_own", 'a word of another name'],
    ["$object:memcpy_local", 'a word that the object defines'],
    ["$object:memcpy_same", 'a word with one setting'],
    ["$object:memcpy_chk_calls", 'no word at all'],
) {
    my ($kernel, $what, @more) = @$row;
    my ($symbol) = $kernel =~ /:(\w+)$/;
    ($exit, $out) = tool('list', '--contract', write_file('all.ini', <<"INI"), 'k', @more);
[k]
object = $object
symbol = $symbol
proto  = void *k(void dst[n], const void src[n], size_t n)
INI
    unlike($out, qr/small thresholds/, "one kernel: $what");
}

# The same with a set of the contract: its value is tried as a size.
my $ini = write_file('set.ini', <<"INI");
[k]
object = $object
symbol = memcpy_large
proto  = void *k(void dst[n], const void src[n], size_t n)
set    = __x86_shared_non_temporal_threshold:20011
INI
($exit, $out) = tool('verify', '--contract', $ini, @quick);
ok($exit == 1 && $out =~ /^k: wrong-bytes.*\n +case +v1 n=20039\b/m && $out !~ /small thresholds/,
    'a value of set is tried around') or diag($out);

# Functions that never return: a finding when they are reached, else nothing.
($exit, $out) = tool('verify', "$object:memcpy_chk_calls", @quick);
is($exit, 0, '__chk_fail that is not reached') or diag($out);
($exit, $out) = tool('verify', "$object:memcpy_fails", @quick);
ok($exit == 1 && $out =~ /__chk_fail/, '__chk_fail that is reached is named') or diag($out);

done_testing();
