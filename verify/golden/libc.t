#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# libc.t - the C libraries of Debian under the contracts that are shipped for them
#
# Every copying and filling function of every library must come out clean.  The number
# of kernels is printed; a library that is not installed is skipped.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my $ini = "$ENV{SRCDIR}/corpus/contracts/libc.ini";

# Archive, kernels it must give at least, and of those with small thresholds.
my @libraries = (
    [ 'glibc',        '/usr/lib/x86_64-linux-gnu/libc.a',                  110, 40 ],
    [ 'glibc, i386',  '/usr/lib32/libc.a',                                 30,  5 ],
    [ 'musl',         '/usr/lib/x86_64-linux-musl/libc.a',                 10,  0 ],
    [ 'klibc',        '/usr/lib/klibc/lib/libc.a',                         4,   0 ],
    [ 'dietlibc',     '/usr/lib/x86_64-linux-gnu/diet/lib-x86_64/libc.a',  8,   0 ],
);

for my $library (@libraries) {
    my ($name, $archive, $least, $least_small) = @$library;

  SKIP: {
        skip "$name: no $archive", 4 unless -e $archive;
        my ($exit, $out, $err) =
            tool('verify', '--budget', 'quick', '--format', 'jsonl', '--contract', $ini, $archive);
        is($exit, 0, "$name is clean") or diag($err);
        my @lines   = json_lines($out);
        my @kernels = grep { $_->{type} eq 'kernel' } @lines;
        my @wrong   = grep { $_->{type} eq 'finding' && !$_->{waived} } @lines;
        my %count;
        $count{ $_->{verdict} }++ for @kernels;
        note(sprintf '%s: %d kernels: %s', $name, scalar @kernels,
            join ', ', map {"$count{$_} $_"} sort keys %count);
        is_deeply([ map { "$_->{kernel}: $_->{slug}" } @wrong ], [], "$name: no finding that is not waived");
        cmp_ok(scalar @kernels, '>=', $least, "$name: all were found");
        cmp_ok(scalar(grep { $_->{kernel} =~ /small thresholds/ } @kernels), '>=', $least_small,
            "$name: both settings of the thresholds");
    }
}

done_testing();
