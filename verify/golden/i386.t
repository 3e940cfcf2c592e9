#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# i386.t - where 32-bit code differs: signed addresses on either side, results in two
# registers, what gcc splits off

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my $path = write_file('k.S', <<'ASM');
        .text
        .globl dst_signed, src_signed, page_signed, sound, sum_eax, sum_pair
        .macro  enter
        push %esi
        push %edi
        mov 12(%esp), %edi
        mov 16(%esp), %esi
        mov 20(%esp), %ecx
        .endm
        .macro  leave_
        pop %edi
        pop %esi
        ret
        .endm
dst_signed:
        enter
        add %edi, %ecx
1:      cmp %ecx, %edi
        jge 2f
        movsb
        jmp 1b
2:      leave_
src_signed:
        enter
        add %esi, %ecx
1:      cmp %ecx, %esi
        jge 2f
        movsb
        jmp 1b
2:      leave_
page_signed:
        enter
        lea 4096(%esi), %ecx
1:      movsl
        cmp %ecx, %esi
        jl 1b
        leave_
sound:  enter
        rep movsb
        leave_
sum_eax:
        push %edi
        mov 8(%esp), %edi
        xor %eax, %eax
        mov $1024, %ecx
        rep stosl
        mov $7, %edx
        pop %edi
        ret
sum_pair:
        push %edi
        mov 8(%esp), %edi
        xor %eax, %eax
        mov $1024, %ecx
        rep stosl
        mov $1, %edx
        pop %edi
        ret
ASM
my $object = scratch() . '/k.o';
system("gcc -m32 -c '$path' -o '$object'") == 0 or die;

my @copy = ('--sizes', '0:100000', '--op', 'copy', '--proto', 'void f(void dst[n], const void src[n], size_t n)');
my @page = ('--op', 'copy', '--align', '4', '--proto', 'void f(void dst[4096], const void src[4096])');
my @zero = ('--op', 'zero', '--align', '4', '--proto', 'uint64_t f(void dst[4096])');

# Function, contract, exit status, what is said.
my @rows = (
    [ 'dst_signed',  \@copy, 1, qr/field=split31/ ],
    [ 'src_signed',  \@copy, 1, qr/field=split31/ ],
    [ 'page_signed', \@page, 1, qr/field=split31/ ],
    [ 'sound',       \@copy, 0, qr/^pass /m ],
    [ 'sum_eax',     [ @zero, '--returns', 'zero' ],             1, qr/bad-return: returned 0x700000000, want 0x0$/m ],
    [ 'sum_pair',    [ @zero, '--returns', 'value:4294967296' ], 0, qr/^pass /m ],
);

SKIP: {
    skip 'the address sanitizer lies across 0x80000000', 2 * @rows if $ENV{VARIANT} eq 'asan';
    for (@rows) {
        my ($name, $contract, $status, $says) = @$_;
        my ($exit, $out, $err) = tool('verify', '--budget', 'quick', "$object:$name", @$contract);
        is($exit, $status, "$name: exit $status") or diag("$out$err");
        like($out, $says, "$name: says so");
    }
}

# A clone has a calling convention of its own: no glob takes it.
my $clone = write_file('clone.c', <<'C');
static __attribute__((noinline)) void clone_memset(char *d, int c, unsigned n)
{
    while (n--)
        *d++ = (char)c;
}
void use_memset(char *d, int c, unsigned n)
{
    clone_memset(d, 1, 3);
}
void plain_memset(char *d, int c, unsigned n)
{
    while (n--)
        *d++ = (char)c;
}
C
system("gcc -m32 -O2 -fno-tree-loop-distribute-patterns -w -c '$clone' -o '" . scratch() . "/clone.o'") == 0 or die;
my ($exit, $out) = tool('verify', '--budget', 'quick', scratch() . '/clone.o:*memset*', '--format', 'jsonl');
my @kernels = map { $_->{kernel} } grep { $_->{type} eq 'kernel' } json_lines($out);
is(scalar(grep {/constprop|isra|part/} @kernels), 0, 'no clone among them') or diag("@kernels");
ok(scalar(grep {/plain_memset/} @kernels), 'the function itself is');

# clang writes no .debug_aranges.
my $line = write_file('line.c', <<'C');
void line_memcpy(char *d, const char *s, unsigned long n)
{
    while (n--)
        *d++ = *s++;
    *(volatile int *)0 = 1;
}
C
for my $cc ('gcc', 'clang-19') {
  SKIP: {
        skip "no $cc", 1 if system("command -v $cc >/dev/null");
        system("$cc -g -O1 -fno-builtin -w -c '$line' -o '" . scratch() . "/line.o'") == 0 or die;
        my ($exit, $out) = tool('verify', '--budget', 'quick', scratch() . '/line.o:line_memcpy');
        like($out, qr/^  where .*line\.c:5$/m, "$cc: the line is known") or diag($out);
    }
}

done_testing();
