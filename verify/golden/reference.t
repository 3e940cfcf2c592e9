#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# reference.t - a reference that is worth nothing says nothing about a kernel

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my $object = assemble('refs', <<'ASM');
        .text
        .globl nothing, right, crashes, strays, hangs, calls, sound
nothing: ret
right:
sound:  mov %rdx, %rcx
        rep movsb
        ret
crashes: mov 0, %eax
        ret
strays: movb $0, (%rdi,%rdx)
        mov %rdx, %rcx
        rep movsb
        ret
hangs:  jmp .
calls:  mov $39, %eax
        syscall
        ret
ASM

# Reference, and what is said of it.
my %refs = (
    crashes => 'the reference crashed',
    strays  => 'the reference wrote outside of its buffers',
    hangs   => 'the reference did not return within the time limit of a case',
    calls   => 'the reference made a system call',
);

sub judge
{
    my ($kernel, $ref) = @_;
    return tool('verify', '--budget', 'quick', "$object:$kernel", '--sizes', '0:4096', '--op', "ref:$ref",
        '--proto', 'void f(void dst[n], const void src[n], size_t n)');
}

for my $ref (sort keys %refs) {
    for my $kernel ('nothing', 'right') {
        my ($exit, $out) = judge($kernel, $ref);
        is($exit, 3, "$kernel, $ref: open");
        like($out, qr/^inconclusive .*:$kernel .* \Q$refs{$ref}\E$/m, "$kernel, $ref: and why");
        unlike($out, qr/^  hint/m, "$kernel, $ref: no other ABI is suggested");
    }
}
is((judge('right', 'sound'))[0], 0, 'a sound one lets a right kernel pass');
is((judge('nothing', 'sound'))[0], 1, 'and fails one that does nothing');

done_testing();
