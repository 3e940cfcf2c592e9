#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# keys.t - every key of a contract has a case in which it changes a verdict
#
# A row is one key with two contracts that differ in that key alone.  A key that is only
# stored in this version is exempt with its reason, and must be accepted all the same.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my $macros = <<'ASM';
        .macro  function name
        .p2align 4
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  copy name, before=nop, after=nop
        function \name
        mov     %rdi, %rax
        mov     %rdx, %rcx
        \before
        rep movsb
        \after
        ret
        .size   \name, . - \name
        .endm
ASM
assemble('keys', '        .equ RARE, ' . (20011 * 0x5bd1e995 & 0xffffffff) . "\n$macros" . <<'ASM');
        copy    f
        copy    long, "inc %rcx"
        copy    junk, after="mov %rsi, %rax"
        copy    rbx_lost, after="inc %rbx"
        copy    xmm_lost, after="pxor %xmm0, %xmm0"
        copy    mmx_left, after="movd %eax, %mm0"
        copy    sixteens, "and $-16, %rcx"
        # One byte more at n = 20011, which no constant of the code gives away.
        copy    rare, "imul $0x5bd1e995, %edx, %r8d; cmp $RARE, %r8d; sete %r8b; movzbl %r8b, %r8d; add %r8, %rcx"
        copy    longer_as_told, "add told(%rip), %rcx"
        copy    needs_aligned, "movaps %xmm0, %xmm1; test %rcx, %rcx; jz 1f; movq %rdi, %r8; shl $60, %r8; jz 1f; ud2; 1:"
        function low_half
        mov     %edx, %ecx
        rep movsb
        xor     %eax, %eax
        ret
        .size   low_half, . - low_half
        function asks
        push    %rdi
        push    %rsi
        push    %rdx
        call    helper
        pop     %rcx
        pop     %rsi
        pop     %rdi
        mov     %eax, %eax
        add     %rax, %rcx
        rep movsb
        ret
        .size   asks, . - asks
        function windows
        push    %rdi
        push    %rsi
        mov     %rcx, %rdi
        mov     %rdx, %rsi
        mov     %r8, %rcx
        rep movsb
        pop     %rsi
        pop     %rdi
        ret
        .size   windows, . - windows
        copy    weak, "mov $0, %r8d; test %rdx, %rdx; jz 1f; cmp $4, %rdx; jb 1f; mov (%rsi), %r8d; movnti %r8d, (%rdi); 1:"
        copy    weak_end, after="cmp $4, %rdx; jb 1f; mov -4(%rsi), %r8d; movnti %r8d, -4(%rdi); 1:"
        copy    twice, "test %rdx, %rdx; jz 1f; movb $0, (%rdi); 1:"
        copy    below_rsp, after="movq $0, -64(%rsp)"
        copy    next_below, after="movb $0, -1(%rsp)"
        copy    in_words, "lea -1(%rsi,%rdx), %r8; test %rdx, %rdx; jz 1f; and $-16, %r8; mov 15(%r8), %r8b; 1:"
        function fill
        mov     %rdx, %rcx
        xor     %eax, %eax
        rep stosb
        ret
        .size   fill, . - fill
ASM
assemble('other', $macros . qq(        copy    f, "inc %rcx"\n));
write_file('plain.c', <<'C');
#include <stddef.h>
#ifndef MORE
#define MORE 0
#endif
void plain(unsigned char *dst, const unsigned char *src, size_t n)
{
    for (size_t i = 0; i < n + MORE; i++)
        ((volatile unsigned char *)dst)[i] = src[i];
}
C

mkdir scratch() . '/saved' or die;
write_file('saved/rare.case', "fencepost-case 1\nkernel f\ncase v1 n=20011\nexpect pass\n");

my $nm = qx{nm '${\ scratch()}/keys.o'};
my ($long_at) = $nm =~ /^0*([0-9a-f]+) T long$/m or die "no address of long\n$nm";

my $copy  = "proto = void f(void dst[n], const void src[n], size_t n)\nop = copy";
my $keys  = "$copy\nobject = keys.o";
my $fill  = "proto = void f(void dst[n], unsigned char c, size_t n)\nop = set\n" .
    "object = keys.o\nsymbol = fill";
my $left  = "proto = size_t f(void dst[n], const void src[n], size_t n)\nop = copy\n" .
    "object = keys.o\nsymbol = low_half\nreturns = left";
my $c     = "$copy\nobject = plain.c\nsymbol = plain";

# The first feature that this CPU lacks.
my (undef, $doctor) = tool('doctor');
my ($lacking) = $doctor =~ /^  not in CPU +(?!none)(\w+)/m;

# Key; what both contracts hold; without it (or with another value); with it.
my @rows = (
    ['proto',    "op = copy\nobject = keys.o", [$copy =~ /(proto.*)/, 'pass'],
        ['proto = void f(void dst[n], const void src[n], unsigned n)',
            'fail undeclared-input']],
    ['profile',  "$keys\nsymbol = xmm_lost", ['', 'pass'], ['profile = linux', 'fail vector-changed']],
    ['op',       $keys =~ s/op = copy\n//r,   ['op = copy', 'pass'], ['op = move', 'fail wrong-bytes']],
    ['object',   $copy, ['object = keys.o', 'pass'], ['object = other.o', 'fail stray-write']],
    ['symbol',   $keys, ['', 'pass'], ['symbol = long', 'fail stray-write']],
    ['address',  $keys, ['', 'pass'], ["address = 0x$long_at", 'fail stray-write']],
    ['sizes',    "$keys\nsymbol = sixteens", ['', 'fail wrong-bytes'], ['sizes = 0:-:16', 'pass']],
    ['align',    "$keys\nsymbol = needs_aligned", ['', 'fail illegal-instruction'],
        ['align = dst:16', 'pass']],
    ['overlap',  $keys =~ s/op = copy/op = move/r, ['', 'fail wrong-bytes'], ['overlap = forward', 'pass']],
    ['returns',  "$keys\nsymbol = junk", ['', 'pass'], ['returns = dst@rax', 'fail bad-return']],
    ['abi',      "$keys\nsymbol = windows", ['', 'fail undeclared-input'],
        ['abi = ms64', 'pass']],
    ['clobbers', "$keys\nsymbol = rbx_lost", ['', 'fail register-lost'],
        ['clobbers = rax rcx rdx rsi rdi rbx flags', 'pass']],
    ['clobbers', "$keys\nsymbol = xmm_lost", ['', 'pass'],
        ['clobbers = rax rcx rdx rsi rdi xmm1', 'fail vector-changed']],
    ['state',    "$keys\nsymbol = mmx_left", ['', 'fail mmx-dirty'], ['state = mmx-live', 'pass']],
    ['faults',   $left, ['', 'fail wrong-bytes'], ['faults = left', 'pass']],
    ['redzone',  "$keys\nsymbol = below_rsp", ['', 'pass'], ['redzone = 0', 'fail below-stack']],
    ['redzone',  "$keys\nsymbol = next_below", ['', 'pass'], ['redzone = 0', 'fail below-stack']],
    ['reads',    "$keys\nsymbol = in_words", ['', 'fail stray-read'], ['reads = aligned:16', 'pass']],
    ['writes',   "$keys\nsymbol = twice", ['', 'pass'], ['writes = once', 'fail rewritten']],
    ['order',    "$keys\nsymbol = weak_end", ['', 'fail fence-missing'], ['order = weak', 'pass']],
    ['values',   $fill, ['', 'fail wrong-bytes'], ['values = c:0', 'pass']],
    ['cpu',      $keys, ['', 'pass'], [$lacking && "cpu = $lacking", 'skip']],
    ['set',      "$keys\nsymbol = longer_as_told", ['set = told:0', 'pass'],
        ['set = told:1', 'fail stray-write']],
    ['stub',     "$keys\nsymbol = asks", ['stub = helper:0', 'pass'],
        ['stub = helper:1', 'fail stray-write']],
    ['cc',       $c, ['', 'pass'], ['cc = gcc -DMORE=1', 'fail stray-write']],
    ['cflags',   $c, ['', 'pass'], ['cflags = -DMORE=1', 'fail stray-write']],
    ['box',      "$keys\nsymbol = rare", ['', 'pass'],
        ['box = n=20010:20012', 'fail stray-write']],
    ['cases',    "$keys\nsymbol = rare", ['', 'pass'], ['cases = saved', 'fail stray-write']],
    ['allow',    "$keys\nsymbol = mmx_left", ['', 'fail mmx-dirty'],
        ['allow = mmx-dirty "callers run emms"', 'pass']],
    ['like',     "$keys\nsymbol = sixteens", ['', 'fail wrong-bytes'], ['like = model', 'pass']],
);

# Stored only.  Each is tried on a kernel that it will concern once it is judged: when its
# verdict changes, the key needs a row above.
my %exempt = (
    drain   => ['the caller\'s routine is not run', 'drain = sfence', "$keys\nsymbol = weak"],
    origin  => ['printed by list', 'origin = lkml 2002', $keys],
    expect  => ['read by the gate, which runs the specimens', 'expect = stray-write', $keys],
    twin    => ['read by the gate, which runs the specimens', 'twin = model', $keys],
);

# What verify makes of [f]: "pass", "skip", "fail SLUG" or "exit N"; and all there is to see.
sub outcome
{
    my ($common, $line) = @_;
    my $ini = write_file('keys.ini', "[f]\n$common\n$line\n[model]\n$keys\nsizes = 0:-:16\n");
    my @box = $line =~ /^box/ ? ('--exhaustive', 'box') : ();
    my ($exit, $out, $err) =
        tool('verify', '--contract', $ini, 'f', '--budget', 'quick', '--format', 'jsonl', @box);
    my @lines   = grep { ref } json_lines($out);
    my ($judged) = grep { $_->{type} eq 'kernel' } @lines;
    my @slugs   = map { $_->{slug} } grep { $_->{type} eq 'finding' } @lines;
    my $what = $judged ? $judged->{verdict} : "exit $exit";
    $what .= " $slugs[0]" if $what eq 'fail' && @slugs;
    return ($what, "$common\n$line\n$out$err");
}

for my $row (@rows) {
    my ($key, $common, @both) = @$row;
    for (@both) {
        my ($line, $want) = @$_;
        my ($got, $all) = defined $line ? outcome($common, $line) : ();
      SKIP: {
            skip('this CPU lacks no feature', 1) unless defined $line;
            is($got, $want, $line || "without $key") or diag($all);
        }
    }
    isnt($both[0][1], $both[1][1], "$key changes the verdict");
}

for my $key (sort keys %exempt) {
    my ($why, $line, $common) = @{ $exempt{$key} };
    for ('', $line) {
        my ($got, $all) = outcome($common, $_);
        is($got, 'pass', ($_ || "without $key") . ": $why") or diag($all);
    }
}

# The tool's own list: the keys that are options, and those that are options anyway.
my ($exit, $help) = tool('verify', '--help');
my ($blocks) = $help =~ /^(contract keys, .*)\z/ms;
my @known = sort 'cc', 'cflags', map { substr $_, 2 } grep { /^--/ } split ' ', $blocks;
my %seen = map { $_ => 1 } keys %exempt, map { $_->[0] } @rows;
is_deeply([sort keys %seen], \@known,
    'every key has a row or a reason why not');

done_testing();
