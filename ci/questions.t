#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# questions.t - docs/questions.md says what its commands say here
#
# A row of a kernel that this CPU cannot run is not compared.

use strict;
use warnings;
use JSON::PP;
use Test::More;

my $tool = $ENV{FENCEPOST} or die "FENCEPOST: where is the tool?\n";
my $root = $ENV{SRCDIR}    or die "SRCDIR: where are the sources?\n";
my $tables = "$root/corpus/questions/tables.pl";

open my $in, '<', "$root/docs/questions.md" or die "docs/questions.md: $!\n";
my @page = <$in>;
close $in;
chomp @page;

# Rows of tables: the first cell => the others.
sub rows
{
    my %rows;
    for my $line (@_) {
        my ($first, $rest) = $line =~ /^\| ([^|]+?) \| (.*) \|$/ or next;
        $rows{$first} = $rest;
    }
    return \%rows;
}

my $commands = qx{'$tables' --commands};
for my $command (split /\n/, $commands) {
    ok((grep { index($_, $command) == 0 } @page), "the page has: $command");
}

my $out = qx{'$tables' '$tool'};
is($?, 0, 'the surveys run');
my ($here, $said) = (rows(split /\n/, $out), rows(@page));
my %gone = map { $_ => 1 } grep { $here->{$_} eq 'not run here' } keys %$here;

for my $name (sort keys %$here) {
    (my $bare = $name) =~ s/ \(.*//;
    next if $gone{$name} || $gone{$bare};
    my ($want, $got) = ($said->{$name} // 'no row', $here->{$name});
    # Exact copies stand together: those that cannot run here are left out.
    $want = join ' ', grep { !$gone{"${name}_$_"} } split ' ', $want if $name =~ /^m\d+a?$/;
    is($got, $want, $name);
}
my @heads = ('---', 'operand', 'copy', 'kernel');
for my $name (sort keys %$said) {
    (my $bare = $name) =~ s/ \(.*//;
    my @ways = map { "${name}_$_" } split ' ', $said->{$name};
    my $known = exists $here->{$name} || $gone{$bare} || grep { $name eq $_ } @heads;
    ok($known || !grep({ !$gone{$_} } @ways), "the page's $name is surveyed");
}

# A command of the page, as words without its first.
sub words_of
{
    my ($like) = @_;
    my ($line) = grep { /^fencepost .*$like/ } @page;
    ok($line, "the page has a command with $like") or return;
    return map { s/^'|'$//gr } $line =~ /\s('[^']*'|\S+)/g;
}

# The built-in kernels: what they promise is what they need.
my @preserve = (words_of('preserve'), '--budget', 'quick', '--format', 'jsonl');
my (%promise, %verdict, %slugs);
my $name = '';
for (qx{'$tool' contract 'builtin:*'}) {
    $name = $1 if /^; (builtin:[^:]+):/;
    $promise{$name}{$1} = $2 if /^(\w+)\s*=\s*(.*?)\s*$/;
}
open my $verify, '-|', $tool, @preserve or die "$tool: $!\n";
while (my $line = <$verify>) {
    my $said = decode_json($line);
    $slugs{ $said->{kernel} }{ $said->{slug} } = 1 if $said->{type} eq 'finding';
    $verdict{ $said->{kernel} } = $said->{verdict} if $said->{type} eq 'kernel';
}
close $verify;
ok(scalar(keys %verdict), 'built-in kernels were asked for their state');
for my $kernel (sort grep { $verdict{$_} ne 'skip' } keys %verdict) {
    my $keeps = ($promise{$kernel}{state} // '') eq 'preserve';
    my @other = grep { !/^(vector|x87|mxcsr)-changed$/ } keys %{ $slugs{$kernel} // {} };
    ok(!$keeps || $verdict{$kernel} eq 'pass', "$kernel keeps the state it promises to keep");
    is("@other", '', "$kernel loses nothing but FPU state");
}

my @align = (words_of('_page'), '--format', 'jsonl');
my %clean;
open my $survey, '-|', $tool, @align or die "$tool: $!\n";
while (my $line = <$survey>) {
    my $said = decode_json($line);
    $clean{ $said->{kernel} } //= '';
    $clean{ $said->{kernel} } = $said->{values} if ($said->{slug} // '') eq 'clean';
    delete $clean{ $said->{kernel} } if $said->{missing};
}
close $survey;
ok(scalar(keys %clean), 'built-in page kernels were asked for their alignment');
for my $kernel (sort keys %clean) {
    my ($need) = ($promise{$kernel}{align} // '') =~ /dst:(\d+)/;
    my %offsets = map { /^(\d+):(\d+)$/ ? map { $_ => 1 } $1 .. $2 : ($_ => 1) }
        split /\|/, $clean{$kernel};
    my @missing = grep { $_ % ($need // 1) == 0 && !$offsets{$_} } 0 .. 63;
    is("@missing", '', "$kernel works at every offset that its contract allows");
}
done_testing();
