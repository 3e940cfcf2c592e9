#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# tables.pl TOOL [lossy|state|page]... - the tables of docs/questions.md, from surveys
# tables.pl --commands - the commands behind them, as the page shows them
#
# Runs both widths; a row that is so in one width only says which.  A kernel that needs
# a feature this CPU lacks has the row `NAME | not run here`.

use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use JSON::PP;

my $tool = shift // die "usage: tables.pl TOOL [lossy|state|page]...\n";
$tool = abs_path($tool) // die "$tool: $!\n" if $tool =~ m{/};
chdir "$FindBin::Bin/../.." or die "$FindBin::Bin: $!\n";

my $folder = 'corpus/questions';
# The key to tell results by, contracts and source, the functions.
my @surveys = (
    ['fill',  'lossy', '*'],
    ['x87',   'state', '*'],
    ['dst',   'page',  'store_*'],
    ['src',   'page',  'load_*'],
    ['place', 'page',  'past_*'],
);

if ($tool eq '--commands') {
    print map { "fencepost survey --by $_->[0] --contract $folder/$_->[1].ini"
            . " '$folder/$_->[1].S:$_->[2]'\n" } @surveys;
    exit 0;
}

# What a survey says: kernel => its lines, for 64 bit and for 32 bit.
sub survey
{
    my ($key, $name, $glob) = @{ (grep { $_->[0] eq $_[0] } @surveys)[0] };
    my @pipes = map {
        my @words = ($tool, 'survey', '--by', $key, '--contract', "$folder/$name.ini",
            '--abi', $_, '--format', 'jsonl', "$folder/$name.S:$glob");
        open my $in, '-|', @words or die "$tool: $!\n";
        $in;
    } qw(sysv64 i386);
    return map {
        my ($in, %lines) = $_;
        while (my $line = <$in>) {
            my $said = decode_json($line);
            $said->{kernel} =~ s/.*://;
            push @{ $lines{ $said->{kernel} } }, $said;
        }
        close $in;
        die "survey --by $key: exit " . ($? >> 8) . "\n" if $?;
        \%lines;
    } @pipes;
}

# A row for each kernel; where the widths differ, one for each.
sub rows
{
    my ($cells, @widths) = @_;
    my %all = map { $_ => 1 } map { keys %$_ } @widths;
    my @rows;
    for my $kernel (sort keys %all) {
        my @row = map { $_->{$kernel} ? $cells->(@{ $_->{$kernel} }) : undef } @widths;
        my @there = grep { defined $row[$_] } 0, 1;
        if (@there == 2 && $row[0] ne $row[1]) {
            push @rows, map { [$kernel . (' (64 bit)', ' (32 bit)')[$_], $row[$_]] } @there;
        } else {
            push @rows, [$kernel, $row[$there[0]]];
        }
    }
    return @rows;
}

sub print_table
{
    my ($head, @rows) = @_;
    (my $rule = $head) =~ s/[^|]+/---/g;
    print "$head\n$rule\n", map({ "| $_->[0] | $_->[1] |\n" } @rows), "\n";
}

sub values_of
{
    return join ' ', map { split /\|/, $_->{values} } @_;
}

# Bits of a mode that are not those of the default, by their names.
sub mode
{
    my ($case) = @_;
    my @names;
    if (my ($mxcsr) = $case =~ /mxcsr=(\w+)/) {
        $mxcsr = hex $mxcsr;
        push @names, 'DAZ' if $mxcsr & 0x40;
        push @names, 'FTZ' if $mxcsr & 0x8000;
        push @names, ('', 'rounding down', 'rounding up', 'truncation')[$mxcsr >> 13 & 3];
    }
    if (my ($fcw) = $case =~ /fcw=(\w+)/) {
        $fcw = hex $fcw;
        push @names, ('24-bit precision', 'reserved precision', '53-bit precision', '')[$fcw >> 8 & 3];
        push @names, ('', 'rounding down', 'rounding up', 'truncation')[$fcw >> 10 & 3];
    }
    return join ' ', grep { length } @names;
}

sub lossy_cells
{
    return 'not run here' if $_[0]{missing};
    my @bytes = grep { $_->{slug} =~ /^(lossy-copy|wrong-bytes)$/ } @_;
    my @faults = grep { $_->{slug} eq 'crash' } @_;
    return 'exact' unless @bytes || @faults || grep { $_->{slug} ne 'clean' } @_;
    my @always = grep { !length mode($_->{case}) } @bytes;
    my %modes;
    push @{ $modes{ mode($_->{case}) } }, $_ for grep { length mode($_->{case}) } @bytes;
    my @modes = map { "$_: " . values_of(@{ $modes{$_} }) } sort keys %modes;
    return join ' | ', @always ? values_of(@always) : '-', @modes ? join('; ', @modes) : '-',
        @faults ? values_of(@faults) : '-';
}

sub lossy
{
    my @rows = rows(\&lossy_cells, survey('fill'));
    my %exact;
    for (@rows) {
        my ($operand, $way) = $_->[0] =~ /^([^_]+)_(.*)/;
        push @{ $exact{$operand} }, $way if $_->[1] eq 'exact';
    }
    my $width = sub { $_[0] =~ /(\d+)/; $1 };
    print_table('| operand | exact copies |',
        map { [$_, join ' ', @{ $exact{$_} }] }
        sort { $width->($a) <=> $width->($b) || $a cmp $b } keys %exact);
    print_table('| copy | altered in the default mode | only in others, such as | faults when unmasked |',
        grep { $_->[1] ne 'exact' } @rows);
}

sub state_cells
{
    return 'not run here' if $_[0]{missing};
    my @lost;
    for (grep { $_->{slug} ne 'clean' } @_) {
        my $text = $_->{message};
        $text = "fault at $_->{insn}" if $_->{slug} eq 'crash';
        $text =~ s/^x87 state changed: //;
        $text =~ s/ changed: / /;
        $text =~ s/ changed$//;
        # Addresses are called otherwise in 32-bit code.
        $text =~ s/[ ,]\(%[er]\w+\)//;
        push @lost, values_of($_) . ": $text" if !grep { /: \Q$text\E$/ } @lost;
    }
    return @lost ? join '; ', @lost : 'nothing';
}

sub page_cells
{
    return 'not run here' if $_[0]{missing};
    my @bad = grep { $_->{slug} ne 'clean' } @_;
    my @good = grep { $_->{slug} eq 'clean' } @_;
    my $good = values_of(@good);
    $good = 'any' if $good eq '0:63';
    return join ' | ', length $good ? $good : 'none', @bad
        ? join('; ', map { (split ' ', $_->{insn} // $_->{slug})[0] . ": $_->{slug}" } @bad)
        : '-';
}

my %tables = (
    lossy => \&lossy,
    state => sub {
        print_table('| kernel | what the task loses |',
            rows(\&state_cells, survey('x87')));
    },
    page => sub {
        print_table('| kernel | offsets in a 64-byte line | else |',
            rows(\&page_cells, survey('dst')),
            rows(\&page_cells, survey('src')));
        print_table('| kernel | places of the page | else |',
            rows(\&page_cells, survey('place')));
    },
);
for my $name (@ARGV ? @ARGV : qw(lossy state page)) {
    ($tables{$name} // die "tables.pl: no tables called $name\n")->();
}
