#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# huge.t - whole buffers of gigabytes: a right kernel runs to its end in whatever order,
# and what is wrong only behind the first window is named

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# r8 keeps dst, r9 src, r10 n; blocks of 1 MiB where more than one instruction copies.
my $save = "mov %rdi, %rax\nmov %rdi, %r8\nmov %rsi, %r9\nmov %rdx, %r10\n";
my $copy = "mov %rdx, %rcx\nrep movsb\n";
my %kernels = (
    forward => $copy,
    # From the end to the start, 64 bytes at a time; the rest by bytes.
    backward => <<'ASM',
        sub     $64, %rdx
        jb      2f
1:      movups  (%rsi,%rdx), %xmm0
        movups  16(%rsi,%rdx), %xmm1
        movups  32(%rsi,%rdx), %xmm2
        movups  48(%rsi,%rdx), %xmm3
        movups  %xmm0, (%rdi,%rdx)
        movups  %xmm1, 16(%rdi,%rdx)
        movups  %xmm2, 32(%rdi,%rdx)
        movups  %xmm3, 48(%rdi,%rdx)
        sub     $64, %rdx
        jae     1b
2:      lea     64(%rdx), %rcx
        rep     movsb
ASM
    # The last bytes first; then all whole words.
    tail_first => <<'ASM',
        mov     -8(%rsi,%rdx), %rcx
        mov     %rcx, -8(%rdi,%rdx)
        mov     %rdx, %rcx
        shr     $3, %rcx
        rep     movsq
ASM
    # The rest begins where the lower half of the length says.
    tail_by_32_bits => <<'ASM',
        mov     %rdx, %rcx
        shr     $3, %rcx
        rep     movsq
        mov     %r10d, %ecx
        and     $-8, %ecx
        lea     (%r8,%rcx), %rdi
        lea     (%r9,%rcx), %rsi
        mov     %r10d, %ecx
        and     $7, %ecx
        rep     movsb
ASM
    # Leaves a page out where 2^31 is passed.
    hole => <<'ASM',
        mov     $0x7ffff000, %ecx
        rep     movsb
        add     $4096, %rsi
        add     $4096, %rdi
        lea     -0x80000000(%rdx), %rcx
        mov     $0x80000000, %ecx
        sub     %rcx, %rdx
        mov     %rdx, %rcx
        rep     movsb
ASM
    # From 2 GiB on the source's first bytes again.
    source_wraps => <<'ASM',
        mov     $0x80000000, %ecx
        sub     %rcx, %rdx
        rep     movsb
        mov     %r9, %rsi
        mov     %rdx, %rcx
        rep     movsb
ASM
    # A block's offset is a 31-bit number, so this never comes to an end.
    offset_wraps => <<'ASM',
        xor     %edx, %edx
1:      lea     (%r8,%rdx), %rdi
        lea     (%r9,%rdx), %rsi
        mov     $0x100000, %ecx
        rep     movsb
        add     $0x100000, %edx
        and     $0x7fffffff, %edx
        cmp     %r10, %rdx
        jb      1b
ASM
    one_more   => "lea 1(%rdx), %rcx\nrep movsb\n",
    reads_on   => "$copy\nmov (%rsi), %cl\n",
    marks_src  => "$copy\nmov %cl, -1(%rsi)\n",
    end_by_32  => "$copy\nmovslq %r10d, %rcx\nlea (%r8,%rcx), %rax\n",
);
my $text = "        .text\n";
$text .= ".globl $_\n.type $_, \@function\n$_:\n$save$kernels{$_}ret\n.size $_, . - $_\n"
    for sort keys %kernels;
my $object = assemble('huge', $text);

sub replay
{
    my ($name, $case, @more) = @_;
    my $returns = $name eq 'end_by_32' ? 'dst+n' : 'dst';
    return tool('replay', "$object:$name", '--proto',
        'void *f(void dst[n], const void src[n], size_t n)', '--op', 'copy', '--returns',
        $returns, $case, @more);
}

my $past_4g = 'v1 n=4294967437';    # 2^32 + 141
my $past_2g = 'v1 n=2147487837';    # 2^31 + 4189

for (['forward', "$past_4g dst=13 src=3"], ['backward', $past_2g],
    ['tail_first', "$past_2g place=dst:end,src:end"]) {
    my ($name, $case) = @$_;
    my ($code, $out, $err) = replay($name, "$case huge=alias");
    ok($code == 3 && $out =~ /: no finding in this case: .* huge=alias$/m, "$name is right")
        or diag("$code $out$err");
}

for (
    ['tail_by_32_bits', $past_4g, qr/wrong-bytes: 5 bytes never written, first at dst\+4294967432$/m],
    ['hole', $past_2g, qr/wrong-bytes: 4096 bytes never written, first at dst\+2147479552$/m],
    ['source_wraps', $past_2g, qr/wrong-bytes: 41\d\d bytes differ .*, first at dst\+2147483648:/],
    ['one_more', $past_2g, qr/stray-write: 1 byte past the end of dst, first at dst\+2147487837$/m],
    ['reads_on', "$past_2g place=src:end", qr/stray-read: read past the end of src/],
    ['marks_src', $past_2g, qr/source-changed: write inside src, at src\+2147487836/],
    ['end_by_32', $past_2g, qr/bad-return: returned 0x[0-9a-f]+, want 0x[0-9a-f]+ \(dst\+2147487837\)/],
    ['offset_wraps', $past_2g, qr/hang: /],
) {
    my ($name, $case, $like) = @$_;
    my ($code, $out, $err) = replay($name, "$case huge=alias");
    ok($code == 1 && $out =~ /^\S+: $like/m, "$name: named behind the window")
        or diag("$code $out$err");
}

# What the first window shows is no evidence of these.
for my $name (qw(tail_by_32_bits hole source_wraps offset_wraps)) {
    my ($code, $out, $err) = replay($name, $past_4g);
    ok($code == 3 && $out =~ /: no finding/, "$name: the window alone does not show it")
        or diag("$code $out$err");
}

my ($code, $out, $err) = replay('forward', "$past_2g huge=alias", '--emit-c', scratch() . '/huge.c');
ok($code == 2 && $err =~ /2\^31 bytes and more cannot be written out/, 'and no C program is written')
    or diag("$code $out$err");

# A box of such cases: what is found is confirmed, kept and printed with its key.
($code, $out, $err) = tool('verify', "$object:hole", '--as', 'memcpy', '--budget', 'quick',
    '--exhaustive', 'n=2147487837 huge=alias');
ok($code == 1 && $out =~ /^  case +v1 n=\d+ huge=alias$/m && $out =~ / never written/,
    'verify finds it in a box') or diag("$code $out$err");

# Of units of 8 bytes, the count behind every object is a length with an end that is no
# address: a right kernel that begins there meets a general protection fault.
my $limbs = assemble('limbs', <<'ASM');
        .text
        .globl  limbs
        .type   limbs, @function
limbs:  lea     -8(%rdi,%rdx,8), %rdi
        lea     -8(%rsi,%rdx,8), %rsi
        mov     %rdx, %rcx
        std
        rep     movsq
        cld
        ret
        .size   limbs, . - limbs
ASM
($code, $out, $err) = tool('verify', "$limbs:limbs", '--budget', 'quick', '--op', 'copy', '--proto',
    'void limbs(uint64_t dst[n], const uint64_t src[n], size_t n)', '--overlap', 'backward');
ok($code == 0, 'backward by units of 8 bytes is right') or diag("$code $out$err");

done_testing();
