#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# models.t - 32-bit C code of every code model runs as its compiler meant it
#
# A copy routine that copies only when a computation over tables, strings, COMMON, .bss,
# switches and calls comes to the number that the same source gives as a program.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my $source = write_file('models.c', <<'C');
static int local = 5;
int global = 7, common;
static int zero[100];
static const char word[] = "abc";
static const char *const words[] = { "one", "three", word };
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int (*const table[])(int) = { twice, thrice };
__attribute__((weak)) int missing(int x);
__attribute__((noinline)) int outer(int x) { return x + global; }
int part(int x)
{
    const volatile char *w = words[x % 3];
    int s;
    switch (x) {
    case 0: s = 10; break;
    case 1: s = 21; break;
    case 2: s = 32; break;
    case 3: s = outer(43); break;
    case 4: s = missing ? missing(4) : 54; break;
    case 5: s = 65; break;
    default: s = -1;
    }
    common = x + 100;
    zero[x + 1] = x;
    local = 1000 * x;
    while (*w)
        s += *w++;
    return s + table[x & 1](x) + common + zero[x + 1] + local;
}
int sum(void)
{
    volatile int x;
    int s = 0;
    for (x = 0; x < 6; x++)
        s = s * 7 + part(x);
    return s;
}
#ifdef WANT
void *checked_memcpy(void *dst, const void *src, unsigned long n)
{
    char *d = dst;
    const char *s = src;
    if (sum() != WANT)
        return 0;
    while (n--)
        *(volatile char *)d++ = *s++;
    return dst;
}
#else
int printf(const char *, ...);
int main(void) { return printf("%d\n", sum()) < 0; }
#endif
C

my $program = scratch() . '/models';
my $has_cc  = system("cc -o $program $source 2>/dev/null") == 0;
my $has_32  = $has_cc
    && system("cc -m32 -DWANT=0 -c -o $program.o $source 2>/dev/null") == 0;
plan skip_all => 'no C compiler with -m32' unless $has_32;
chomp(my $want = `$program`);

my @models = (
    ['-O0 -fno-pic -fcommon'],
    ['-O2 -fno-pic'],
    ['-O2 -fno-pic -fno-plt'],
    ['-O0 -fPIC'],
    ['-O2 -fPIC -ffunction-sections -fdata-sections'],
    ['-O2 -fPIC -fno-plt'],
    ['-O2 -fPIE -g'],
    ['-O2 -fPIC -fstack-protector-all'],
    ['-Os -fno-pic -mregparm=3', '--abi', 'regparm3'],
    ['-O1 -fPIC', '--cc', 'clang-19'],
    ['-O2 -fno-pic', '--cc', 'clang-19'],
);
for my $model (@models) {
    my ($flags, @more) = @$model;
    my ($exit, $out, $err);

SKIP: {
        skip "$more[1] is not there", 1
            if @more && $more[0] eq '--cc' && system("$more[1] --version >/dev/null 2>&1");
        ($exit, $out, $err) = tool('verify', '--budget', 'quick', '--cflags',
            "-m32 -DWANT=$want $flags", @more, "$source:checked_memcpy");
        ok($exit == 0 && $out =~ /^pass/m, "-m32 $flags @more") or diag("$out$err");
    }
}
my ($status, $shown) = tool('verify', '--budget', 'quick', '--cflags', '-m32 -DWANT=1 -O1',
    "$source:checked_memcpy");
ok($status == 1 && $shown =~ /bad-return|wrong-bytes/, 'another number is noticed')
    or diag($shown);

# What a linker would have added: the thunk that an object refers to without having it; and
# a number below zero, which 32-bit arithmetic may write as 0xfffffffe.
write_file('bare.S', <<'S');
#undef __i686
        .globl  thunk_memcpy, old_memcpy, n
        .type   thunk_memcpy, @function
thunk_memcpy:
        call    __x86.get_pc_thunk.ax
1:      cmp     $1b, %eax
        jne     2f
        .reloc  . + 1, R_386_8, n
        mov     $0, %al
        cmp     $0xfe, %al
        je      copy
2:      ud2
        .size   thunk_memcpy, . - thunk_memcpy
        .type   old_memcpy, @function
old_memcpy:
        call    __i686.get_pc_thunk.cx
1:      cmp     $1b, %ecx
        jne     2b
copy:   push    %esi
        push    %edi
        mov     12(%esp), %edi
        mov     16(%esp), %esi
        mov     20(%esp), %ecx
        mov     %edi, %eax
        rep movsb
        pop     %edi
        pop     %esi
        ret
        .size   old_memcpy, . - old_memcpy
        .set    n, -2
S
for my $symbol (qw(thunk_memcpy old_memcpy)) {
    my (undef, $text) = tool('verify', '--budget', 'quick', '--cflags', '-m32',
        scratch() . "/bare.S:$symbol");
    like($text, qr/^pass/m, "$symbol: a thunk that is not there is shipped");
}

done_testing();
