#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# mutants.t - 300 single edits of built-in kernels: each dies or is argued to be equal
#
# The mutants test the checks and the planner: an edit that survives the gate's budget is
# either no change for any caller, and then verify/mutate/equivalent.txt says why, or
# something we do not see.

use strict;
use warnings;
use File::Temp qw(tempdir);

my $tool   = $ENV{FENCEPOST} or die "FENCEPOST: where is the tool?\n";
my $source = $ENV{SRCDIR}    or die "SRCDIR: where are the sources?\n";
my $build  = $ENV{BUILD}     or die "BUILD: where are the objects?\n";

my $count   = 300;
my @kernels = qw(memmove_sse2 memset_sse2 copy_page_sse2_nt copy_page_mmx);
my $script  = "$source/verify/mutate/mutate.pl";
my $list    = "$source/verify/mutate/equivalent.txt";
my $keep    = tempdir(CLEANUP => 1);
my @common  = ('--contracts', "$source/src/kernels/contracts.ini", '--objects',
    "$build/src/kernels/x86_64", '--count', $count);
my $tests = 0;

sub ok
{
    my ($ok, $name, @why) = @_;
    $tests++;
    print $ok ? "ok" : "not ok", " $tests - $name\n";
    print "# $_\n" for $ok ? () : @why;
}

sub mutate
{
    open my $out, '-|', $^X, $script, @common, @_, @kernels or die "$script: $!\n";
    chomp(my @lines = <$out>);
    close $out;
    return ($? >> 8, @lines);
}

my ($exit, @lines) = mutate('--tool', $tool, '--keep', $keep, '--equivalent', $list);
my ($total, $killed, $argued, $open) = map {
    /^(\d+) mutants of \d+ .*: (\d+) killed, (\d+) argued equivalent, (\d+) not explained/
} @lines;
print "# $_\n" for grep { /^\d+ mutants|^left out/ } @lines;

ok($exit != 2, 'the mutants could be tried', "exit status $exit", @lines);
ok(($total // 0) == $count, "$count mutants were tried");
ok(($open // 1) == 0, 'every survivor is argued', grep { /^(?:survived|no verdict)/ } @lines);
my @stale = grep { /^(?:killed though|listed but)/ } @lines;
ok(defined $total && !@stale, 'no argued survivor is killed or gone', @stale);
ok(($killed // 0) >= $count * 3 / 4, 'most mutants die');
ok($exit == 0, 'mutate agrees');

# The same results judged without the list: the argued ones must be reported.
my ($bare, @reported) = mutate('--results', "$keep/results.jsonl");
my $survivors = grep { /^survived/ } @reported;
ok($bare == ($survivors ? 1 : 0) && $survivors == ($argued // -1),
    'without the list they are reported', @reported);

print "1..$tests\n";
