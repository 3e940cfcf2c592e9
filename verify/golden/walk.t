#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# walk.t - what verify says of code that no recorded case went through, or that cannot run

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my $text = <<'ASM';
        .macro  begin name
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  finish name
        .size   \name, . - \name
        .endm
        .text
        # Fenced, but for a value that no case has.
        begin   hidden
        movabs  $0x123456789abcdef, %r8
1:      movnti  %rsi, (%rdi)
        add     $8, %rdi
        cmp     %r8, %rsi
        je      2f
        dec     %rdx
        jnz     1b
        sfence
        ret
2:      dec     %rdx
        jnz     1b
        ret
        finish  hidden
        # Two conditions that are always the same.
        begin   correlated
        xor     %ecx, %ecx
        cmp     $64, %rdx
        jb      2f
1:      movnti  %rsi, (%rdi)
        add     $8, %rdi
        dec     %rdx
        jnz     1b
        mov     $1, %ecx
        jmp     3f
2:      mov     %rsi, (%rdi)
        add     $8, %rdi
        dec     %rdx
        jnz     2b
3:      test    %ecx, %ecx
        jz      4f
        sfence
4:      ret
        finish  correlated
        begin   fenced
1:      movnti  %rsi, (%rdi)
        add     $8, %rdi
        dec     %rdx
        jnz     1b
        jmp     fence
        finish  fenced
        begin   fence
        sfence
        ret
        finish  fence
        begin   table
        lea     targets(%rip), %r8
        mov     %edx, %ecx
        and     $1, %ecx
        movslq  (%r8, %rcx, 4), %rcx
        add     %r8, %rcx
        jmp     *%rcx
.Lcase:
1:      movnti  %rsi, (%rdi)
        add     $8, %rdi
        dec     %rdx
        jnz     1b
        sfence
        ret
        finish  table
        begin   dispatch
        mov     pointer(%rip), %rcx
        jmp     *%rcx
        finish  dispatch
        .macro  elsewhere name, save, value, fence, restore
        begin   \name
        \save
        movq    %rsi, %xmm0
        \value
1:      LACKING
        add     $8, %rdi
        dec     %rdx
        jnz     1b
        \fence
        \restore
        ret
        finish  \name
        .endm
        elsewhere skipped, "", "mov %rsi, %rbx", "", ""
        elsewhere skipped_ok, "push %rbx", "mov %rsi, %rbx", sfence, "pop %rbx"
        elsewhere skipped_maybe, "", vzeroupper, "jc 2f; sfence; 2:", ""
        .section .rodata
pointer:
        .quad   fenced
targets:
        .long   .Lcase - targets, .Lcase - targets
ASM

# A weak store that this CPU does not have.
my %flags = map { $_ => 1 } read_file('/proc/cpuinfo') =~ /^flags\s*:\s*(.*)/m ? split(' ', $1) : ();
my ($lacking, $store) =
      !$flags{sse4a}     ? ('sse4a', 'movntsd %xmm0, (%rdi)')
    : !$flags{movdiri}   ? ('movdiri', 'movdiri %rsi, (%rdi)')
    : !$flags{avx512f}   ? ('avx512f', 'vmovntps %zmm0, (%rdi)')
    :                      ('', 'movnti %rsi, (%rdi)');
$text =~ s/LACKING/$store/;
my $object = assemble('walk', $text);
my $ini = write_file('walk.ini', "[*]\nproto = void f(uint64_t dst[n], uint64_t v, size_t n)\n"
    . "op = set\nsizes = 1:256\n");

sub verify
{
    my ($name, @more) = @_;
    my ($exit, $out, $err) = tool('verify', '--budget', 'quick', '--contract', $ini, @more, "$object:$name");
    diag($err) if $err;
    return ($exit, $out);
}

sub state_of
{
    my ($name) = @_;
    my ($exit, $out) = verify($name, '--format', 'jsonl');
    return $out =~ /"order":"([^"]*)"/ ? $1 : $out;
}

my ($exit, $out) = verify('hidden');
is($exit, 0, 'a path that no case took is no failure');
like($out, qr/fence-missing \(warning\): possible: a path from hidden\+0xa to the return at hidden\+0x2\w has no fence and no recorded case took it: none reached hidden\+0x20/,
    'but a warning, with the block that was never reached');
like($out, qr/where   hidden\+0xa  movnti %rsi,\(%rdi\)/, 'and the store');
($exit, $out) = verify('hidden', '--fail-on', 'warning');
is($exit, 1, '--fail-on warning fails it');
($exit, $out) = verify('hidden', '--skip', 'fence-missing');
unlike($out, qr/fence-missing/, '--skip leaves it out');
($exit, $out) = verify('hidden', '--order', 'weak');
unlike($out, qr/fence-missing/, 'order = weak leaves it out');
like(state_of('hidden'), qr/^ok: fenced in \d+ cases$/, 'what was recorded was fenced');

($exit, $out) = verify('correlated');
is($exit, 0, 'conditions that go together');
like($out, qr/fence-missing \(info\): possible: a path .*; all of it ran, but never as a whole/, 'are told apart');
like($out, qr/^pass  \S+:correlated  .* n 1\.\.256$/m, 'and count as no finding');

is(state_of('fenced'), 'ok: fenced on every path', 'static and clean');
is(state_of('table'), 'ok: fenced on every path', 'so is a jump table with a bound');
is(state_of('dispatch'), 'ok: fenced, 1 indirect branch as recorded', 'a pointer is known as far as it was seen');

SKIP: {
    skip('this CPU has all weak stores', 7) unless $lacking;
    ($exit, $out) = verify('skipped');
    is($exit, 3, 'a kernel that cannot run here stays skipped');
    like($out, qr/fence-missing: no path from skipped\+0x8 to the return at skipped\+0x\w+ has a fence/, 'its fence is missing');
    like($out, qr/register-lost: rbx gets a new value at skipped\+0x5, and nothing before has saved the old one/, 'its register lost');
    like($out, qr/^skip  \S+:skipped  2 findings  needs $lacking/m, 'said with the verdict');
    ($exit, $out) = verify('skipped_ok');
    like($out, qr/^skip  \S+:skipped_ok  needs/m, 'its twin has none');
    ($exit, $out) = verify('skipped_maybe');
    like($out, qr/fence-missing \(warning\): possible: a path from/, 'a fence on one branch only is a warning');
    ($exit, $out) = verify('skipped_maybe', '--cpu', $lacking);
    like($out, qr/cpu-undeclared: needs avx, which `cpu` does not declare/, 'so is an undeclared feature told');
}

done_testing();
