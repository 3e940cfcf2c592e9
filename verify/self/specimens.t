#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# specimens.t - every specimen is named by its slug, no twin is accused
#
# One run of the tool over all specimens judges the checks: a specimen is deliberately
# broken in one way and says how in its section (`expect = SLUG`), its twin is the same
# code without the fault.  The section may be in any *.ini of $SPECIMENS.

use strict;
use warnings;
use JSON::PP;

my $tool      = $ENV{FENCEPOST} or die "FENCEPOST: where is the tool?\n";
my $specimens = $ENV{SPECIMENS} or die "SPECIMENS: where are the specimens?\n";

# What may be reported as a warning only, so that its kernel still passes: the slugs
# whose rule is a warning, a length no real caller can have (2^63 and above), and what
# says so with its name.
my %warning_slug = map { $_ => 1 } qw(upper-dirty);

sub warns { return $_[0] eq 'signed_64' || $_[0] =~ /_warns(_i386)?\z/ }

# Needs memory across 0x80000000, where a sanitizer keeps its own.
my %hidden = ($ENV{VARIANT} // '') eq 'asan' ? (move32_signed_addresses => 1) : ();

# Rules whose check does not exist yet: they need injected faults.
my %later = map { $_ => 1 } qw(bad-fault);

my $tests = 0;

sub ok
{
    my ($ok, $name, @why) = @_;
    $tests++;
    print $ok ? "ok" : "not ok", " $tests - $name\n";
    print "# $_\n" for $ok ? () : grep { defined } @why;
    return $ok;
}

# The sections of an INI file, in order: [ [NAME, { key => value }], ... ].
sub read_sections
{
    my ($path) = @_;
    my @sections;
    open my $in, '<', $path or die "$path: $!\n";
    while (my $line = <$in>) {
        if ($line =~ /^\s*\[\s*(.+?)\s*\]/) {
            push @sections, [$1, {}];
        } elsif (@sections && $line =~ /^\s*([\w-]+)\s*=\s*(.*?)\s*$/) {
            $sections[-1][1]{$1} = $2;
        }
    }
    return grep { $_->[0] !~ /[*?]/ } @sections;
}

# Run a command: its exit status and its lines.
sub run
{
    open my $out, '-|', @_ or die "$_[0]: $!\n";
    my @lines = <$out>;
    close $out;
    return ($? & 127 ? 128 + ($? & 127) : $? >> 8, @lines);
}

# A finding in one line, for the reader of a failure.
sub finding_text
{
    my ($f) = @_;
    my $also = join ' ', @{ $f->{also} || [] };
    return "found $f->{slug} ($f->{severity}): $f->{message}; case " .
        ($f->{case} // '?') . ($also ? "; also $also" : '');
}

my @files = -e "$specimens/specimens.ini" ? "$specimens/specimens.ini"
                                          : sort glob "$specimens/*.ini";
my @sections = map { read_sections($_) } @files;
my %section  = map { @$_ } @sections;
my @bad      = grep { defined $_->[1]{expect} } @sections;
my %twin     = map { ($_->[1]{twin} // '') => 1 } @bad;

ok(@bad > 0, 'there are specimens', "no section with expect in $specimens");
ok(keys %section == @sections, 'no two sections have one name');

my ($exit, @lines) =
    run($tool, 'verify', (map { ('--contract', $_) } @files), '--format', 'jsonl',
        '--budget', 'gate');

my (%findings, %report, $summary, $broken);
for my $line (@lines) {
    my $o = eval { decode_json($line) };
    if (ref $o ne 'HASH' || ($o->{schema} // 0) != 1) {
        $broken //= $line;
    } elsif ($o->{type} eq 'finding') {
        push @{ $findings{ $o->{kernel} } }, $o;
    } elsif ($o->{type} eq 'kernel') {
        $report{ $o->{kernel} } = $o;
    } elsif ($o->{type} eq 'summary') {
        $summary = $o;
    }
}

ok(!defined $broken, 'every line is an object of schema 1', $broken);
ok($exit == 1, 'findings exit with 1', "exit status $exit");
ok(defined $summary, 'there is a summary', 'the last line: ' . ($lines[-1] // 'none'));
ok(($summary->{exit} // -1) == $exit, 'the summary names the exit status');

sub test_specimen
{
    my ($name, $slug) = @_;
    my @found   = @{ $findings{$name} || [] };
    my $verdict = $report{$name} ? $report{$name}{verdict} : 'missing';
    my $named   = @found && $found[0]{slug} eq $slug;
    my $judged  = $verdict eq 'fail';
    if ($warning_slug{$slug} || warns($name)) {
        $named  = grep { $_->{slug} eq $slug } @found;
        $judged = $verdict eq 'fail' || $verdict eq 'pass';
    }
    # Without its CPU feature it is not run, and what only running shows cannot be named.
    if ($verdict eq 'skip') {
        $named ||= !@found;
        $judged = 1;
    }
    ok($named && $judged, "$name is named $slug", "verdict $verdict",
        map { finding_text($_) } @found);
}

sub test_sound
{
    my ($name) = @_;
    my @found   = grep { $_->{severity} ne 'info' } @{ $findings{$name} || [] };
    my $verdict = $report{$name} ? $report{$name}{verdict} : 'missing';
    my $reason  = $report{$name} ? $report{$name}{reason} : undef;
    ok(!@found && $verdict =~ /\A(pass|skip)\z/, "$name is not accused", "verdict $verdict",
        $reason, map { finding_text($_) } @found);
}

for (@sections) {
    my ($name, $keys) = @$_;
    if ($hidden{$name}) {
        ok(1, "$name # SKIP no memory across 2 GiB under the sanitizer");
    } elsif (defined $keys->{expect}) {
        test_specimen($name, $keys->{expect});
    } else {
        test_sound($name);
    }
}

for (@bad) {
    my ($name, $keys) = @$_;
    my $twin = $keys->{twin} // '';
    ok($section{$twin} && !defined $section{$twin}{expect}, "$name has a twin",
        $twin eq '' ? 'no twin key' : "twin = $twin");
}

# A rule without a specimen is a check nobody has seen working.
my %seen = map { $_->[1]{expect} => 1 } @bad;
my ($listed, @slugs) = run($tool, 'explain', '--list');
chomp @slugs;
ok($listed == 0 && @slugs > 0, 'explain --list names the rules', "exit status $listed");
for (@slugs) {
    ok($seen{$_}, "$_ has a specimen") if !$later{$_};
    ok(!$seen{$_}, "$_ has no check yet") if $later{$_};
}
my %known = map { $_ => 1 } @slugs;
ok($known{$_}, "expect = $_ is a rule") for sort keys %seen;

print "1..$tests\n";
