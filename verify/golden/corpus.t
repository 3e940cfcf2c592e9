#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# corpus.t - saved cases: seeds and what once failed must pass
#
# corpus/open holds known failures; each must still fail as it says it does.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my $corpus = "$ENV{SRCDIR}/corpus";
my @files = (glob("$corpus/seeds/*.case"), glob("$corpus/regress/*.case"));

ok(@files > 0, 'there are saved cases');
for my $file (@files) {
    (my $name = $file) =~ s{.*/corpus/}{};
    SKIP: {
        skip 'the address sanitizer lies across 0x80000000', 1
            if $ENV{VARIANT} eq 'asan' && read_file($file) =~ /field=split31/;
        my ($code, $out, $err) = tool('replay', $file);
        is($code, 0, $name) or diag("$out$err");
    }
}
for my $file (glob("$corpus/open/*.case")) {
    (my $name = $file) =~ s{.*/corpus/}{};
    my ($code, $out, $err) = tool('replay', $file);
    is($code, 1, "$name: still open") or diag("$out$err");
}
done_testing();
