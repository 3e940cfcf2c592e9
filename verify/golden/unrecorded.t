#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# unrecorded.t - what the recorder cannot do is said, with the place, and judged as before

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# What the end of a copy loop is, the note, and the verdict: hlt faults by itself.
my @rows = (
    [ 'far',     'push $0x33; lea 1f(%rip), %r8; push %r8; lretq; 1:',
        'not recorded: a far transfer at far\+0x[0-9a-f]+',                        'pass' ],
    [ 'partly',  'cmp $100, %edx; jb 1f; push $0x33; lea 1f(%rip), %r8; push %r8; lretq; 1:',
        '\d+ of \d+ cases not recorded: a far transfer at partly\+0x[0-9a-f]+',    'pass' ],
    [ 'shadow',  'rdsspq %r8',
        'not recorded: a shadow stack instruction at shadow\+0x8',                 'pass' ],
    [ 'nested',  'push %rbp; mov %rsp, %rbp; enter $16, $2; leave; pop %rbp',
        'not recorded: enter with nested frames at nested\+0xc',                   'pass' ],
    [ 'left',    'hlt',
        'passed over when recorded: hlt at left\+0x8',                             'fail' ],
    [ 'plain',   'nop', undef,                                                     'pass' ],
);

my $text = '';
for (@rows) {
    my ($name, $code) = @$_;
    $text .= ".globl $name\n.type $name, \@function\n" .
        "$name: mov %rdx, %rcx; mov %rdi, %rax; rep movsb; $code; ret\n.size $name, . - $name\n";
}
my $object = assemble('unrecorded', $text);

for (@rows) {
    my ($name, $code, $note, $verdict) = @$_;
    my ($exit, $out, $err) = tool('verify', "$object:$name", '--op', 'copy', '--proto',
        'void *f(void dst[n], const void src[n], size_t n)');

    is($exit, $verdict eq 'pass' ? 0 : 1, "$name: $verdict") or diag("$out$err");
    like($out, qr/^\Q$verdict\E /m, "$name: it says so") or diag("$out$err");
    if ($note) {
        like($out, qr/^  note    $note$/m, "$name: the note") or diag("$out$err");
    } else {
        unlike($out, qr/recorded:/, "$name: nothing to say") or diag("$out$err");
    }
}

# The order of weak stores was not looked at, and says why.
my $nt = assemble('weak', <<'ASM');
        .globl  f
        .type   f, @function
f:      jmp     *1f(%rip)
2:      mov     %rdx, %rcx
        mov     %rdi, %rax
        rdsspq  %r8
        rep movsb
        ret
        .size   f, . - f
        .data
1:      .quad   2b
ASM
my ($exit, $out, $err) = tool('verify', "$nt:f", '--op', 'copy', '--format', 'jsonl', '--proto',
    'void *f(void dst[n], const void src[n], size_t n)');
is($exit, 0, 'it passes') or diag("$out$err");
like($out, qr/not checked: a shadow stack instruction/, 'order: not checked, and why')
    or diag($out);
done_testing();
