#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# suggest.t - what verify says a contract may have been meant to say
#
# Promises that would allow what was found, and contracts that are mistaken for others.
# All of them leave the verdict as it is, and each can be written down and then holds.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

assemble('suggest', <<'ASM');
        .macro  function name
        .p2align 4
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  end name
        .size   \name, . - \name
        .endm
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
        copy f
        copy rbx, "", "inc %rbx; inc %r14"
        copy xmm, "", "pxor %xmm6, %xmm6"
        copy mmx, "", "movd %eax, %mm0"
        copy dstn, "", "mov %rdi, %rax"
        copy noret, "", "mov %rcx, %rax"
        copy sixteens, "and $-16, %rcx"
        copy sixteens_up, "add $15, %rcx; and $-16, %rcx"
        copy need64, "test %rcx, %rcx; jnz 1f; mov $64, %rcx; 1:"
        copy zero_one, "test %rcx, %rcx; jnz 1f; mov $1, %rcx; 1:"
        copy low32, "mov %ecx, %ecx"
        copy spill, "mov %rdi, -16(%rsp)"
        copy oneoff, "cmp $1000, %rcx; jne 1f; inc %rcx; 1:"
        copy plus, "inc %rcx"
        function al16
        mov     %rdi, %rax
        mov     %rdx, %rcx
        cmp     $16, %rcx
        jb      2f
1:      movups  (%rsi), %xmm0
        movaps  %xmm0, (%rdi)
        add     $16, %rsi
        add     $16, %rdi
        sub     $16, %rcx
        cmp     $16, %rcx
        jae     1b
2:      rep movsb
        ret
        end al16
        function als16
        mov     %rdi, %rax
        mov     %rdx, %rcx
        cmp     $16, %rcx
        jb      2f
1:      movaps  (%rsi), %xmm0
        movaps  %xmm0, (%rdi)
        add     $16, %rsi
        add     $16, %rdi
        sub     $16, %rcx
        cmp     $16, %rcx
        jae     1b
2:      rep movsb
        ret
        end als16
        function back
        mov     %rdi, %rax
        mov     %rdx, %rcx
        lea     -1(%rdi,%rdx), %rdi
        lea     -1(%rsi,%rdx), %rsi
        std
        rep movsb
        cld
        ret
        end back
        function loop64
        mov     %rdi, %rax
        mov     %rdx, %rcx
1:      movups  (%rsi), %xmm0
        movups  %xmm0, (%rdi)
        movups  16(%rsi), %xmm0
        movups  %xmm0, 16(%rdi)
        movups  32(%rsi), %xmm0
        movups  %xmm0, 32(%rdi)
        movups  48(%rsi), %xmm0
        movups  %xmm0, 48(%rdi)
        add $64, %rsi
        add $64, %rdi
        sub     $64, %rcx
        ja      1b
        ret
        end loop64
        function bcopy
        xchg    %rsi, %rdi
        mov     %rdx, %rcx
        rep movsb
        ret
        end bcopy
        function mscopy
        push %rdi
        push %rsi
        mov %rcx, %rdi
        mov %rdx, %rsi
        mov %r8, %rcx
        rep movsb
        pop %rsi
        pop %rdi
        ret
        end mscopy
        function setnc
        mov %rsi, %rcx
        mov %edx, %eax
        rep stosb
        ret
        end setnc
        function words
        mov %rdx, %rcx
        rep movsq
        ret
        end words
        function clear
        mov %rdx, %rcx
        xor %eax, %eax
        rep stosb
        ret
        end clear
        .section .note.GNU-stack,"",@progbits
ASM

# The same on 32-bit code.
my $source = write_file('narrow.s', <<'ASM');
        .globl  fast
        .type   fast, @function
fast:   push    %edi
        push    %esi
        mov     %eax, %edi
        mov     %edx, %esi
        rep movsb
        pop     %esi
        pop     %edi
        ret
        .size   fast, . - fast
        .globl  vector
        .type   vector, @function
vector: mov     4(%esp), %eax
        mov     8(%esp), %ecx
        pxor    %xmm3, %xmm3
        test    %ecx, %ecx
        jz      2f
1:      movb    $0, (%eax)
        inc     %eax
        dec     %ecx
        jnz     1b
2:      ret
        .size   vector, . - vector
ASM
system('gcc', '-m32', '-c', $source, '-o', scratch() . '/narrow.o') == 0 or die;

my $args = 'void dst[n], const void src[n], size_t n';
my $copy = "proto = void *f($args)\nop = copy\nreturns = dst";
my $void = "proto = void f($args)\nop = copy";
my $move = "proto = void f($args)\nop = move";
my $set  = "proto = void f(void dst[n], unsigned char c, size_t n)\nop = set";

# Kernel, contract, the promise ('' : none may be made).
my @promises = (
    ['mmx',         $copy, 'state = mmx-live'],
    ['dstn',        $copy, 'returns = dst+n'],
    ['noret',       $copy, 'returns = zero'],
    ['sixteens',    $copy, 'sizes = 0:-:16'],
    ['sixteens_up', $copy, 'sizes = 0:-:16'],
    ['loop64',      $copy, 'sizes = 64:-:64'],
    ['zero_one',    $copy, 'sizes = 1:-:1'],
    ['low32',       $copy, 'sizes = 0:2147483647:1'],
    ['al16',        $copy, 'align = dst:16'],
    ['als16',       $copy, 'align = dst:16 src:16'],
    ['f',           $move, 'overlap = forward'],
    ['back',        $move, 'overlap = backward'],
    ['clear',       $set,  'values = c:0'],
    ['spill',       "$copy\nredzone = 0", 'redzone = 128'],
    ['xmm',         "$copy\nprofile = linux", 'state = kernel-fpu'],
    ['rbx',         "$copy\nclobbers = rax rcx rsi rdi", 'clobbers = rax rcx rbx rsi rdi r14'],
    ['xmm',         "$copy\nclobbers = rax rcx rsi rdi", 'clobbers = rax rcx rsi rdi xmm6'],
    ['rbx',         $copy,
        'clobbers = rax rcx rdx rbx rsi rdi r8 r9 r10 r11 r14 xmm0-xmm15'],
    ['vector',      "proto = void f(void dst[n], size_t n)\nclobbers = eax ecx", 'clobbers = eax ecx xmm3'],
    # A fault at one size, or at all, is no promise.
    ['oneoff',      $copy, ''],
    ['plus',        $copy, ''],
    # What passes needs none.
    ['sixteens',    "$copy\nsizes = 0:-:16", ''],
);

# Kernel, contract, what it is taken for.
my @hints = (
    ['mscopy', $void, 'abi = ms64'],
    ['f',      "$void\nabi = ms64", 'abi = sysv64'],
    ['bcopy',  $void, 'proto = void f(const void src[n], void dst[n], size_t n)'],
    ['setnc',  $set,  'proto = void f(void dst[n], size_t n, unsigned char c)'],
    ['words',  $void, 'proto = void f(void dst[n], const void src[n], size_t n/8)'],
    ['fast',   $void, 'abi = regparm3'],
    ['plus',   $void, ''],
    ['f',      $move, ''],
);

# The verdict and the lines: kernel, then contract keys that win over each other.
sub run
{
    my ($kernel, $contract, $format) = @_;
    my $object = $kernel =~ /^(fast|vector)$/ ? 'narrow' : 'suggest';
    my $ini = write_file('suggest.ini', "[f]\nobject = $object.o\nsymbol = $kernel\n$contract\n");
    my (undef, $out) = tool('verify', '--contract', $ini, '--format', $format);
    return $out;
}

# The contract with one line put in place of what it says about that key.
sub with_line
{
    my ($contract, $line) = @_;
    my ($key) = $line =~ /^(\w+)/;
    return join "\n", (grep { !/^$key\b/ } split /\n/, $contract), $line;
}

for (@promises) {
    my ($kernel, $contract, $want) = @$_;
    my @lines     = json_lines(run($kernel, $contract, 'jsonl'));
    my ($promise) = grep { $_->{type} eq 'promise' } @lines;
    my ($finding) = grep { $_->{type} eq 'finding' } @lines;
    my ($judged)  = grep { $_->{type} eq 'kernel' } @lines;
    is($promise ? $promise->{promise} : '', $want, "$kernel: " . ($want || 'no promise'));
    next unless $want;
    is($judged->{verdict}, 'fail', "$kernel: the verdict stays");
    ok($promise->{kernel} eq $judged->{kernel} && $promise->{cases} > 1
        && $promise->{message} =~ /^\Q$want\E would allow all $promise->{cases} \S+ seen; /,
        "$kernel: the promise has its evidence") or diag(explain($promise));
    is($promise->{slug} // $finding->{slug}, $finding->{slug}, "$kernel: it is about the finding");
    like(run($kernel, with_line($contract, $want), 'text'), qr/^pass /m, "$kernel: written down, it holds");
}

for (@hints) {
    my ($kernel, $contract, $want) = @$_;
    my ($judged) = grep { $_->{type} eq 'kernel' } json_lines(run($kernel, $contract, 'jsonl'));
    is($judged->{hint} // '', $want, "$kernel: " . ($want || 'no hint'));
    next unless $want;
    is($judged->{verdict}, 'fail', "$kernel: the verdict stays");
    # Fewer than 64 where the address sanitizer lies across 0x80000000.
    my $text = run($kernel, $contract, 'text');
    ok($text =~ /^  hint    with \Q$want\E the first \d+ cases pass; is that the contract\?$/m
        && $text !~ /promise/, "$kernel: a hint and no promise") or diag($text);
    like(run($kernel, with_line($contract, $want), 'text'), qr/^pass /m, "$kernel: that is the contract");
}

like(run('sixteens', $copy, 'text'),
    qr/^  replay .*\n  promise sizes = 0:-:16 would allow all \d+ wrong-bytes seen; write it only if it was meant\nfail /m,
    'in text it stands between the findings and the verdict');

# A waived finding, and one nobody asked for, need no promise.
for (['allow = mmx-dirty "known"', ''], ['', '--skip', 'mmx-dirty']) {
    my ($line, @options) = @$_;
    my $ini = write_file('waived.ini', "[f]\nobject = suggest.o\nsymbol = mmx\n$copy\n$line\n");
    my (undef, $out) = tool('verify', '--contract', $ini, grep { length } @options);
    ok($out =~ /^pass /m && $out !~ /promise state/, "no promise beside $line@options") or diag($out);
}

done_testing();
