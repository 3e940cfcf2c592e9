# SPDX-License-Identifier: MIT
#
# Golden.pm - run the tool and look at what it prints and how it exits
#
# FENCEPOST is the tool; SPECIMENS is the folder of the built specimens.

package Golden;

use strict;
use warnings;
use Exporter 'import';
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

our @EXPORT = qw(tool refused json_lines specimen specimen_words scratch write_file read_file
    assemble replay_words);

my $fencepost = $ENV{FENCEPOST} or die "FENCEPOST: where is the tool?\n";
my $dir;

# A folder that is gone when the test is.
sub scratch
{
    $dir //= tempdir(CLEANUP => 1);
    return $dir;
}

sub write_file
{
    my ($name, $text) = @_;
    my $path = scratch() . "/$name";
    open my $out, '>', $path or die "$path: $!\n";
    print $out $text;
    close $out or die "$path: $!\n";
    return $path;
}

sub read_file
{
    my ($path) = @_;
    open my $in, '<', $path or return '';
    local $/;
    return scalar(<$in>) // '';
}

# Run any command: (exit status, stdout, stderr); 128+N when signal N ended it.
sub run_words
{
    my ($out, $err) = map { scratch() . "/$_.$$" } qw(out err);
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0) {
        open STDIN,  '<', '/dev/null' or die;
        open STDOUT, '>', $out        or die;
        open STDERR, '>', $err        or die;
        exec { $_[0] } @_ or die "$_[0]: $!\n";
    }
    waitpid $pid, 0;
    my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    return ($status, read_file($out), read_file($err));
}

# Run the tool.
sub tool
{
    return run_words($fencepost, @_);
}

# The tool must refuse these words with exit 2 and one sentence that matches.
sub refused
{
    my ($like, @words) = @_;
    my ($exit, $out, $err) = tool(@words);
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $ok = $exit == 2 && $out eq '' && $err =~ /\Afencepost: [^\n]+\n\z/ && $err =~ $like;
    ok($ok, "refused: @words") or diag("exit $exit\n$out$err");
    return $err;
}

# JSON lines as objects; undef for a line that is none.
sub json_lines
{
    my ($text) = @_;
    return map { scalar eval { decode_json($_) } } split /\n/, $text;
}

# Sections of the specimens: name => { file, keys }.
my %section;

sub read_specimens
{
    my $from = $ENV{SPECIMENS} or die "SPECIMENS: where are the specimens?\n";
    for my $file (sort glob "$from/*.ini") {
        my $name;
        for my $line (split /\n/, read_file($file)) {
            if ($line =~ /^\s*\[\s*(.+?)\s*\]/) {
                $name = $1;
                $section{$name} = { file => $file };
            } elsif (defined $name && $line =~ /^\s*([\w-]+)\s*=\s*(.*?)\s*$/) {
                $section{$name}{$1} = $2;
            }
        }
    }
    return;
}

# Names of the specimens that are expected to show a slug, in the order of their names.
sub specimen
{
    my ($slug) = @_;
    read_specimens() unless %section;
    return grep { ($section{$_}{expect} // '') eq $slug } sort keys %section;
}

# The words that name one specimen: --contract FILE NAME.
sub specimen_words
{
    my ($name) = @_;
    read_specimens() unless %section;
    return ('--contract', $section{$name}{file}, $name);
}

# Assemble a text into NAME.o, with further flags such as -m32; its path.
sub assemble
{
    my ($name, $text, @flags) = @_;
    my $source = write_file("$name.s", $text);
    my $object = scratch() . "/$name.o";
    system('gcc', @flags, '-c', '-o', $object, $source) == 0 or die "cannot assemble $name\n";
    return $object;
}

# The words of the first printed replay line, "fencepost" left out.
sub replay_words
{
    my ($text) = @_;
    my ($line) = $text =~ /^[ #]*replay\s+fencepost (.*)$/m or return;
    my $words = qx{printf '%s\\n' $line};
    return split /\n/, $words;
}

1;
