#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# contracts.t - kernels of many kinds, right and wrong ones, under every ABI and rule
#
# A row is a kernel, a contract, and what verify must make of them: pass, the first slug,
# or just fail.  keys.t is about single keys; here they meet each other.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

assemble('kinds', <<'ASM');
        .macro  function name
        .p2align 4
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  end name
        .size   \name, . - \name
        .endm
# ---- ms64 copy kernels: rcx dst, rdx src, r8 n
        .macro ms name, before=nop, after=nop
        function \name
        push    %rdi
        push    %rsi
        mov     %rcx, %rdi
        mov     %rdx, %rsi
        mov     %rcx, %rax
        mov     %r8, %rcx
        \before
        rep movsb
        \after
        pop     %rsi
        pop     %rdi
        ret
        end \name
        .endm
        ms ms_ok
        ms ms_xmm6, "movaps %xmm0, %xmm6"
        ms ms_xmm5, "movaps %xmm0, %xmm5"
        ms ms_xmm15, "movaps %xmm0, %xmm15"
        ms ms_shadow, "movq $1, 24(%rsp); movq $2, 48(%rsp)"
        ms ms_shadow_over, "movq $1, 56(%rsp)"
        ms ms_rbx, "inc %rbx"
        ms ms_noret, "mov %rdx, %rax"
        function ms_rsi
        push    %rdi
        mov     %rcx, %rdi
        mov     %rdx, %rsi
        mov     %rcx, %rax
        mov     %r8, %rcx
        rep movsb
        pop     %rdi
        ret
        end ms_rsi
        function ms_five
        push    %rdi
        mov     %rcx, %rdi
        mov     48(%rsp), %rcx
        mov     %edx, %eax
        rep stosb
        pop     %rdi
        ret
        end ms_five
        function ms_five_wrong
        push    %rdi
        mov     %rcx, %rdi
        mov     16(%rsp), %rcx
        mov     %edx, %eax
        rep stosb
        pop     %rdi
        ret
        end ms_five_wrong
# ---- regs
        function r_zero
        rep stosb
        ret
        end r_zero
        function r_zero_xmm
        pxor    %xmm1, %xmm1
        rep stosb
        ret
        end r_zero_xmm
        function r_zero_rdx
        xor     %edx, %edx
        rep stosb
        ret
        end r_zero_rdx
        function r_zero_vz
        vzeroupper
        rep stosb
        ret
        end r_zero_vz
        function r_zero_df
        rep stosb
        std
        ret
        end r_zero_df
        function r_copy_left
        rep movsb
        mov     $7, %edx
        ret
        end r_copy_left
        function r_copy_left_bad
        rep movsb
        inc     %rcx
        mov     $8, %edx
        ret
        end r_copy_left_bad
        function r_const
        cmp     $64, %r8
        jne     1f
        rep movsb
1:      ret
        end r_const
# ---- sysv
        .macro  copy name, before=nop, after=nop
        function \name
        mov     %rdi, %rax
        mov     %rdx, %rcx
        \before
        rep movsb
        \after
        ret
        end \name
        .endm
        copy    f
        copy    f_neg, "", "mov $-14, %eax"
        copy    f_zero, "", "xor %eax, %eax"
        copy    f_zero_high, "", "mov $1, %eax; shl $32, %rax"
        copy    f_dstn, "", "mov %rdi, %rax"
        copy    f_xmm7, "movaps %xmm0, %xmm7"
        copy    f_ymm, "vpxor %ymm1, %ymm1, %ymm1; vzeroupper"
        copy    f_eighths, "shl $3, %rcx"
        copy    f_qwords, "shl $3, %rcx"
        function f_back
        mov     %rdi, %rax
        mov     %rdx, %rcx
        lea     -1(%rdi,%rdx), %rdi
        lea     -1(%rsi,%rdx), %rsi
        std
        rep movsb
        cld
        ret
        end f_back
        function f_stride
        # s, stride, d, n
        cmp     $4096, %rsi
        jne     1f
        mov     %rdi, %rsi
        mov     %rdx, %rdi
        rep movsb
1:      ret
        end f_stride
        .macro fill name, insn, reg
        function \name
        mov     %rdx, %rcx
        mov     %rsi, %rax
        rep \insn
        ret
        end \name
        .endm
        fill s16, stosw
        fill s32, stosl
        fill s64, stosq
        fill s8, stosb
        function s32_low
        mov     %rdx, %rcx
        movzwl  %si, %eax
        rep stosl
        ret
        end s32_low
        # Relies on a fill value of one byte.
        function s8_unmasked
        mov     %rdx, %r8
        mov     %esi, %eax
        imul    $0x01010101, %eax, %eax
        mov     %rdx, %rcx
        shr     $2, %rcx
        rep stosl
        mov     %r8, %rcx
        and     $3, %ecx
        rep stosb
        ret
        end s8_unmasked
        function fpu
        movaps  %xmm0, %xmm9
        mov     %rdx, %rcx
        rep movsb
        ret
        end fpu
        function mmxleft
        movd    %edi, %mm0
        mov     %rdx, %rcx
        rep movsb
        ret
        end mmxleft
        function mmxemms
        movd    %edi, %mm0
        mov     %rdx, %rcx
        rep movsb
        emms
        ret
        end mmxemms
        function red
        mov     %rdi, -8(%rsp)
        mov     %rdx, %rcx
        rep movsb
        ret
        end red
        function red200
        mov     %rdi, -200(%rsp)
        mov     %rdx, %rcx
        rep movsb
        ret
        end red200
        # A leaf that never moves rsp.
        function ms_red
        mov     %rcx, -8(%rsp)
        mov     %rcx, %rax
        test    %r8, %r8
        jz      2f
1:      mov     (%rdx), %r9b
        mov     %r9b, (%rcx)
        inc     %rdx
        inc     %rcx
        dec     %r8
        jnz     1b
2:      ret
        end ms_red
        .section .note.GNU-stack,"",@progbits
ASM

my $args = 'void dst[n], const void src[n], size_t n';
my $copy = "proto = void *f($args)\nop = copy";
my $void = "proto = void f($args)\nop = copy";
my $ms64 = "$copy\nabi = ms64\nreturns = dst";
my $zero = "proto = void f(void dst[n], size_t n)\nop = zero\nabi = regs: rdi=dst rcx=n rax=0";
my $regs = "$void\nabi = regs: rdi=dst rsi=src rcx=n";

my @rows = (
    ['ms_ok', $ms64, 'pass'],
    ['ms_xmm6', $ms64, 'vector-changed'],
    ['ms_xmm5', $ms64, 'pass'],
    ['ms_xmm15', $ms64, 'vector-changed'],
    ['ms_shadow', $ms64, 'pass'],
    ['ms_shadow_over', $ms64, 'stack-smashed'],
    ['ms_rbx', $ms64, 'register-lost'],
    ['ms_rsi', $ms64, 'register-lost'],
    ['ms_noret', $ms64, 'bad-return'],
    ['ms_red', $ms64, 'below-stack'],
    ['ms_red', "$ms64\nredzone = 128", 'pass'],
    ['ms_xmm6', "$ms64\nclobbers = rax rcx rdx r8 r9 r10 r11 xmm0-xmm6", 'pass'],
    ['ms_xmm5', "$ms64\nclobbers = rax rcx rdx r8 r9 r10 r11", 'vector-changed'],
    ['ms_rsi', "$ms64\nclobbers = rax rcx rdx r8 r9 r10 r11 rsi", 'pass'],
    ['ms_five', "proto = void f(void dst[n], unsigned char c, 3, 4, size_t n)\nop = set\nabi = ms64", 'pass'],
    ['ms_five_wrong', "proto = void f(void dst[n], unsigned char c, 3, 4, size_t n)\nop = set\nabi = ms64", 'fail'],
    ['r_zero', "$zero\nclobbers = rcx rdi flags", 'pass'],
    ['r_zero', "$zero\nclobbers = rcx rdi cc memory", 'pass'],
    ['r_zero', "$zero\nclobbers = rcx", 'register-lost'],
    ['r_zero', $zero, 'register-lost'],
    ['r_zero_xmm', "$zero\nclobbers = rcx rdi", 'vector-changed'],
    ['r_zero_xmm', "$zero\nclobbers = rcx rdi xmm0", 'vector-changed'],
    ['r_zero_xmm', "$zero\nclobbers = rcx rdi xmm1", 'pass'],
    ['r_zero_xmm', "$zero\nclobbers = rcx rdi\nstate = kernel-fpu", 'pass'],
    ['r_zero_rdx', "$zero\nclobbers = rcx rdi", 'register-lost'],
    ['r_zero_rdx', "$zero\nclobbers = rcx rdi rdx", 'pass'],
    ['r_zero_vz', "$zero\nclobbers = rcx rdi", 'vector-changed'],
    ['r_zero_vz', "$zero\nclobbers = rcx rdi xmm0-xmm15", 'pass'],
    ['r_zero_df', "$zero\nclobbers = rcx rdi", 'df-set'],
    ['r_zero', "$zero\nclobbers = rcx\nreturns = dst+n\@rdi", 'pass'],
    ['r_zero', "$zero\nclobbers = rdi\nreturns = left\@rcx", 'pass'],
    ['r_zero', "$zero\nclobbers = rcx\nreturns = dst\@rdi", 'bad-return'],
    ['r_copy_left', "$regs\nclobbers = rcx rsi rdi\nreturns = value:7\@rdx", 'pass'],
    ['r_copy_left_bad', "$regs\nclobbers = rcx rsi rdi\nreturns = value:7\@rdx", 'bad-return'],
    ['r_copy_left', "$regs\nclobbers = rdx rsi rdi\nreturns = left\@rcx", 'pass'],
    ['r_copy_left_bad', "$regs\nclobbers = rdx rsi rdi\nreturns = left\@rcx", 'bad-return'],
    ['r_const', "$regs r8=64\nclobbers = rsi rdi rcx", 'pass'],
    ['r_const', "$regs r8=65\nclobbers = rsi rdi rcx", 'wrong-bytes'],
    ['f', "$copy\nreturns = dst", 'pass'],
    ['f_zero', "proto = int f(void dst[n], const void src[n], size_t n)\nop = copy\nreturns = zero", 'pass'],
    ['f_zero_high', "proto = int f(void dst[n], const void src[n], size_t n)\nop = copy\nreturns = zero", 'pass'],
    ['f_zero_high', "proto = long f(void dst[n], const void src[n], size_t n)\nop = copy\nreturns = zero", 'bad-return'],
    ['f_neg', "proto = int f(void dst[n], const void src[n], size_t n)\nop = copy\nreturns = value:-14", 'pass'],
    ['f_neg', "proto = long f(void dst[n], const void src[n], size_t n)\nop = copy\nreturns = value:-14", 'bad-return'],
    ['f', "proto = int f(void dst[n], const void src[n], size_t n)\nop = copy\nreturns = dst+n\@rdi", 'pass'],
    ['f_dstn', "$copy\nreturns = dst+n", 'pass'],
    ['f', "$copy\nreturns = dst+n", 'bad-return'],
    ['f_xmm7', "$copy\nclobbers = rax rcx rsi rdi", 'vector-changed'],
    ['f_xmm7', "$copy\nclobbers = rax rcx rsi rdi xmm7", 'pass'],
    ['f', "$copy\nclobbers = rax rcx rsi rdi", 'pass'],
    ['f_ymm', "$copy\nclobbers = rax rcx rsi rdi ymm1", 'vector-changed'],
    ['f_ymm', "$copy\nclobbers = rax rcx rsi rdi ymm0-ymm15", 'pass'],
    ['f_eighths', "proto = void f(void dst[n], const void src[n], size_t n/8)\nop = copy", 'pass'],
    ['f_qwords', "proto = void f(uint64_t dst[n], const uint64_t src[n], size_t n)\nop=copy\nalign = 1", 'pass'],
    ['f_qwords', "proto = void f(uint64_t dst[n], const uint64_t src[n], unsigned n)\nop=copy", 'undeclared-input'],
    ['f_stride', "proto = void f(const void src[n], 4096, void dst[n], size_t n)\nop = copy", 'pass'],
    ['f_stride', "proto = void f(const void src[n], 64, void dst[n], size_t n)\nop = copy", 'wrong-bytes'],
    ['f_stride', "proto = void f(const void src[n], size_t stride, void dst[n], size_t n)\nop = copy\nvalues = stride:4096", 'pass'],
    ['s8_unmasked', "proto = void f(void dst[n], int c, size_t n)\nop=set", 'wrong-bytes'],
    ['s8_unmasked', "proto = void f(void dst[n], int c, size_t n)\nop=set\nvalues = c:0-255", 'pass'],
    ['s16', "proto = void f(uint16_t dst[n], uint16_t c, size_t n)\nop=set", 'pass'],
    ['s32', "proto = void f(uint32_t dst[n], uint32_t c, size_t n)\nop=set", 'pass'],
    ['s64', "proto = void f(uint64_t dst[n], uint64_t c, size_t n)\nop=set", 'pass'],
    ['s32_low', "proto = void f(uint32_t dst[n], uint32_t c, size_t n)\nop=set", 'wrong-bytes'],
    ['s32', "proto = void f(uint32_t dst[n], uint64_t c, size_t n)\nop=set", 'pass'],
    ['s8', "proto = void f(uint32_t dst[n], uint32_t c, size_t n)\nop=set", 'wrong-bytes'],
    ['s64', "proto = void f(uint32_t dst[n], uint32_t c, size_t n)\nop=set", 'stray-write'],
    ['s16', "proto = void f(short dst[n], int c, size_t n)\nop=set", 'pass'],
    ['f', "$void\noverlap = any", 'wrong-bytes'],
    ['f_back', "$void\noverlap = any", 'wrong-bytes'],
    ['f', "$void\noverlap = forward", 'pass'],
    ['f_back', "$void\noverlap = forward", 'wrong-bytes'],
    ['f', "$void\noverlap = backward", 'wrong-bytes'],
    ['f_back', "$void\noverlap = backward", 'pass'],
    ['f', "$void\noverlap = same", 'pass'],
    ['f_back', "$void\noverlap = same", 'pass'],
    ['f', "$void\noverlap = none", 'pass'],
    ['fpu', "$void\nstate = user", 'pass'],
    ['fpu', "$void\nstate = preserve", 'vector-changed'],
    ['fpu', "$void\nstate = kernel-fpu", 'pass'],
    ['fpu', "$void\nstate = mmx-live", 'pass'],
    ['mmxleft', "$void\nstate = user", 'mmx-dirty'],
    ['mmxleft', "$void\nstate = kernel-fpu", 'mmx-dirty'],
    ['mmxleft', "$void\nstate = preserve", 'x87-changed'],
    ['mmxleft', "$void\nstate = mmx-live", 'pass'],
    ['mmxemms', "$void\nstate = user", 'pass'],
    ['mmxemms', "$void\nstate = mmx-live", 'pass'],
    ['mmxemms', "$void\nstate = preserve", 'x87-changed'],
    ['red', $void, 'pass'],
    ['red', "$void\nredzone = 0", 'below-stack'],
    ['red', "$void\nprofile = linux", 'below-stack'],
    ['red', "$void\nprofile = linux\nredzone = 128", 'pass'],
    ['red200', $void, 'below-stack'],
    ['red200', "$void\nredzone = 256", 'pass'],
    ['fpu', "$void\nprofile = linux\nstate = kernel-fpu", 'pass'],
);

for my $row (@rows) {
    my ($kernel, $contract, $want) = @$row;
    my $ini = write_file('kinds.ini', "[f]\nobject = kinds.o\nsymbol = $kernel\n$contract\n");
    my ($exit, $out, $err) =
        tool('verify', '--contract', $ini, '--budget', 'quick', '--format', 'jsonl');
    my @lines    = grep { ref } json_lines($out);
    my ($judged) = grep { $_->{type} eq 'kernel' } @lines;
    my ($found)  = grep { $_->{type} eq 'finding' } @lines;
    my $got      = $judged ? $judged->{verdict} : "exit $exit";
    $got = $found->{slug} if $got eq 'fail' && $found && $want ne 'fail';
    is($got, $want, "$kernel: " . $contract =~ s/\n/; /gr) or diag("$out$err");
}

done_testing();
