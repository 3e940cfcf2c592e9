#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# explain.t - every slug has a text, a list names them all

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my ($exit, $list) = tool('explain', '--list');
my @slugs = split /\n/, $list;
is($exit, 0, 'the list exits 0');
ok(@slugs >= 25, 'there are many slugs');
ok(!grep({ !/\A[a-z0-9-]+\z/ } @slugs), 'one slug a line and nothing else');
my %seen;
ok(!grep({ $seen{$_}++ } @slugs), 'no slug twice');

my (undef, $table) = tool('explain');
for my $slug (@slugs) {
    my ($code, $text, $err) = tool('explain', $slug);
    ok($code == 0 && $err eq '' && $text =~ /\A\Q$slug\E \((error|warning|info), /,
        "explain $slug") or diag("$code $err");
    like($text, qr/^broken promise: \S.{10,}\n( {16}\S.*\n)*\n\S(?s:.{100,})\n\z/m, "$slug is explained");
    unlike($text, qr/TODO|^.{100,}$/m, "$slug: finished text, lines of a decent length");
    like($table, qr/^\Q$slug\E +(error|warning|info) +\S/m, "$slug is in the table");
}

($exit, my $two) = tool('explain', $slugs[0], $slugs[1]);
ok($exit == 0 && $two =~ /^\Q$slugs[0]\E \(/m && $two =~ /^\Q$slugs[1]\E \(/m, 'two at once');

done_testing();
