#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# siblings.t - the faults that the page kernels of 2001 and 2002 had are named in both
# widths, each with the smallest case that shows it

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# Fault: slug, case (undef where no case is needed), the specimens that have it.
my @faults = (
    ['65th block of 64 bytes', 'stray-write', 'v1',
        qw(page_clear_jge_64 page_copy_jge old32_clear_block_65 old32_block_65)],
    ['33rd block of 128 bytes', 'stray-write', 'v1',
        qw(page_clear_jge_128 old32_clear_block_33 old32_block_33)],
    ['fnsave as an input', 'x87-changed', 'v1 fcw=37e',
        qw(fsave_as_input fsave_as_input_i386)],
    ['fnsave twice, no frstor', 'x87-changed', 'v1',
        qw(preserve_fsave_twice x87_32_saved_twice)],
    ['useless femms', 'cpu-undeclared', undef,
        qw(fsave_femms fsave_femms_i386)],
    ['two bytes for three', 'wrong-bytes', 'v1 n=3',
        qw(set_three switch_set_two_for_three switch_set_two_for_three_i386)],
    ['eight bytes for four', 'stray-write', 'v1 n=4',
        qw(switch_set_long eight_for_four size32_eight_for_four copy32_eight_for_four)],
);

for (@faults) {
    my ($fault, $slug, $case, @names) = @$_;
    for my $name (@names) {
        my ($exit, $out, $err) = tool('verify', '--format', 'jsonl', specimen_words($name));
        my ($first) = grep { ($_->{type} // '') eq 'finding' } json_lines($out);
        is_deeply([$exit, @$first{qw(slug case)}], [1, $slug, $case], "$fault: $name") or
            diag("$out$err");
    }
}

# Where 3DNow! is missing, the instruction is named as well.
my ($has_3dnow) = read_file('/proc/cpuinfo') =~ /^flags\b.* 3dnow\b/m;
for my $name ($has_3dnow ? () : qw(fsave_femms fsave_femms_i386)) {
    my (undef, $out) = tool('verify', specimen_words($name));
    like($out, qr/illegal-instruction: .*\n  case    v1\n  where   fsave_femms\+\S+  femms /,
        "$name: refused by this CPU");
}

# The very same C is right where long has four bytes.
for my $name (qw(switch_set_long_i386 switch_copy_long_i386)) {
    my ($exit, $out) = tool('verify', specimen_words($name));
    is($exit, 0, "$name: right with -m32") or diag($out);
}

done_testing();
