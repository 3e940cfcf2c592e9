#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# survey.t - a box run to its end: counts, values, the simplest cases

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# Wrong for every n = 8k + 5 up to 31, faults where dst is no multiple of 16.
my $object = assemble('surveyed', <<'END');
        .globl  odd, aligned
        .type   odd, @function
        .type   aligned, @function
odd:    mov     %rdx, %rcx
        mov     %rdi, %r8
        rep movsb
        mov     %edx, %eax
        and     $7, %eax
        cmp     $5, %eax
        jne     1f
        notb    (%r8)
1:      ret
        .size   odd, . - odd
aligned:
        pxor    %xmm0, %xmm0
        movaps  %xmm0, (%rdi)
        ret
        .size   aligned, . - aligned
        .section .note.GNU-stack, "", @progbits
END
my @copy = ('--proto', 'void odd(void dst[n], const void src[n], size_t n)', '--op', 'copy',
    "$object:odd");
my @zero = ('--proto', 'void aligned(void dst[16])', '--op', 'zero', "$object:aligned");

my ($exit, $out, $err) = tool('survey', '--by', 'n', '--box', 'n=0:31 fill=pos|random', @copy);
is($exit, 0, 'a survey gives no verdict') or diag($err);
like($out, qr/^\S+:odd: 64 cases$/m, 'every case of the box');
like($out, qr/^  clean +n=0:4\|6:12\|14:20\|22:28\|30\|31$/m, 'clean values, runs as ranges');
like($out, qr/^  wrong-bytes +n=5\|13\|21\|29  in all 8 cases$/m, 'all of what breaks');
like($out, qr/^ +v1 n=5: 1 byte\S* differ/m, 'the simplest case');

($exit, $out, $err) =
    tool('survey', '--by', 'fill', '--box', 'n=0:31 fill=pos|random', @copy);
like($out, qr/^  wrong-bytes +fill=pos\|random  in 8 of 64 cases$/m, 'a share of the cases');
unlike($out, qr/^  clean/m, 'no value is clean');

($exit, $out, $err) = tool('survey', '--by', 'dst', '--box', 'dst=0:63', @zero);
like($out, qr/^  clean +dst=0\|16\|32\|48$/m, 'where it does not fault');
like($out, qr/^  crash +dst=1:15\|17:31\|33:47\|49:63  in all 60 cases$/m, 'where it does');
like($out, qr/^ +at aligned\+0x4  movaps %xmm0,\(%rdi\)$/m, 'the instruction');

($exit, $out, $err) =
    tool('survey', '--by', 'dst', '--box', 'dst=0:1', '--format', 'jsonl', @zero);
my @lines = json_lines($out);
is_deeply(
    [map { [@$_{qw(type slug key values cases of)}] } @lines],
    [['survey', 'clean', 'dst', '0', 1, 1], ['survey', 'crash', 'dst', '1', 1, 1]],
    'as JSON lines'
) or diag($out);
is($lines[1]{case}, 'v1 dst=1', 'the case of a line');

($exit, $out, $err) = tool('survey', '--by', 'place', '--box', 'place=dst:mid|dst:end', @zero);
like($out, qr/^  clean +place=dst:mid\|dst:end$/m, 'places by their names');

# What a promise broke beside the first one is counted, too.
($exit, $out, $err) = tool('survey', '--by', 'x87', '--box', 'x87=4|mmx ymm=1', '--state',
    'preserve', @zero);
like($out, qr/^  vector-changed +x87=4\|mmx  in all 2 cases$/m, 'state');

refused(qr/--by KEY/, 'survey', '--box', 'dst=0:1', @zero);
refused(qr/"colour" is not a key/, 'survey', '--by', 'colour', '--box', 'dst=0:1', @zero);
refused(qr/no box to survey/, 'survey', '--by', 'dst', @zero);
refused(qr/more than 256 values of n/, 'survey', '--by', 'n', '--box', 'n=0:1000', @copy);
refused(qr/unknown format xml/, 'survey', '--by', 'n', '--format', 'xml', @copy);
done_testing();
