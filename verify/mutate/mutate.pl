#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# mutate.pl - break built-in kernels in their machine code and see who notices
#
#     mutate.pl --tool FENCEPOST --contracts contracts.ini --objects DIR KERNEL...
#
# Edits one instruction in a copy of KERNEL.S.o (no compiler, no assembler), writes one
# contract file over all copies, verifies it once, and says who survived.  The edits:
#
#     nop        the instruction becomes nops
#     const+1    its immediate or displacement grows by one
#     const-1    ... shrinks by one
#     invert     its condition is inverted (jcc, setcc, cmovcc)
#
# Left out, and counted: fences and prefetches (nothing that one thread can see), nops
# (no effect to remove), instructions with a relocation (the loader overwrites the edit).
# From the rest --count are taken in an order that depends only on --seed.
#
# --equivalent FILE lists the survivors argued to be equal to the kernel, a line each:
#
#     KERNEL +0xOFFSET EDIT | INSTRUCTION | why no caller can tell
#
# Exit status: 0 all killed or argued, 1 not, 2 it could not be tried.

use strict;
use warnings;
use File::Temp qw(tempdir);
use Getopt::Long;
use JSON::PP;
use List::Util qw(sum0);

my %opt = (count => 300, seed => 1, budget => 'gate', objdump => 'objdump');
GetOptions(\%opt, 'tool=s', 'contracts=s', 'objects=s', 'count=i', 'seed=i', 'budget=s',
    'equivalent=s', 'keep=s', 'results=s', 'objdump=s', 'list') or exit 2;
my @kernels = @ARGV;

# Fail as "could not be tried", whatever line it was.
$SIG{__DIE__} = sub { print STDERR "mutate: $_[0]"; exit 2 };

$opt{$_} or die "--$_ is missing\n" for qw(contracts objects);
$opt{tool} || $opt{results} || $opt{list} or die "--tool is missing\n";
@kernels or die "name at least one kernel\n";

sub slurp
{
    my ($path) = @_;
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/;
    return <$in> // '';
}

sub spew
{
    my ($path, $bytes) = @_;
    open my $out, '>:raw', $path or die "$path: $!\n";
    print $out $bytes;
    close $out or die "$path: $!\n";
}

sub lines_of
{
    open my $out, '-|', @_ or die "$_[0]: $!\n";
    my @lines = <$out>;
    close $out or die "@_: failed\n";
    return @lines;
}

# The lines of a section of an INI file, without those of the keys given.
sub contract_lines
{
    my ($path, $name, @without) = @_;
    my $without = join '|', @without;
    my ($text) = slurp($path) =~ /^\[\Q$name\E\]\n(.*?)(?=^\[|\z)/ms
        or die "$path: no section [$name]\n";
    return grep { /^\s*\w/ && !/^\s*(?:$without)\s*=/ } split /\n/, $text;
}

# ---- the code

# Where .text stands in the file.
sub text_offset
{
    my ($path) = @_;
    for (lines_of($opt{objdump}, '-h', '-w', $path)) {
        return hex $1 if /^\s*\d+\s+\.text\s+\w+\s+\w+\s+\w+\s+(\w+)/;
    }
    die "$path: no .text\n";
}

# The instructions of a kernel: { kernel, at, bytes, text }, `at` from its start.
sub instructions
{
    my ($kernel, $path) = @_;
    my ($start, @list);
    my %reloc;
    for (lines_of($opt{objdump}, '-dwr', '-j', '.text', $path)) {
        if (/^(\w+) <(.+)>:/) {
            $start = $2 eq $kernel ? hex $1 : undef;
        } elsif (defined $start && /^\s*(\w+):\t((?:\w\w )+)\s*\t?(.*)$/) {
            my ($address, $hex, $text) = (hex $1, $2, $3);
            # -w puts relocations at the end of the line, older ones below it.
            my $relocated = $text =~ s/\t\s*\w+:\s+R_.*//;
            $text =~ s/\s*(?:#|<).*//;
            push @list, { kernel => $kernel, at => $address - $start, start => $start,
                bytes => pack('H*', $hex =~ s/ //gr), text => $text =~ s/\s+/ /gr =~ s/ $//r,
                relocated => $relocated };
        } elsif (defined $start && /R_X86_64_/ && @list) {
            $list[-1]{relocated} = 1;
        }
    }
    @list or die "$path: no code of $kernel\n";
    return @list;
}

sub excluded
{
    my ($insn) = @_;
    return 'relocated' if $insn->{relocated};
    return 'fence'     if $insn->{text} =~ /^[slm]fence/;
    return 'prefetch'  if $insn->{text} =~ /^prefetch/;
    return 'nop' if $insn->{text} =~ /^(?:data16 |cs |\s)*(?:nop|endbr64|xchg %ax,%ax)/;
    return;
}

# ---- edits

# The condition of jcc, setcc, cmovcc is the low nibble of an opcode byte.
sub inverted
{
    my ($bytes) = @_;
    my ($prefix, $op, $rest) = $bytes =~ m/\A
        ([\x66\xf2\xf3\x2e\x3e]*[\x40-\x4f]?)
        (\x0f[\x40-\x4f\x80-\x9f]|[\x70-\x7f])
        (.*)\z/sx or return;
    substr($op, -1) ^= "\x01";
    return $prefix . $op . $rest;
}

# The constant in an instruction's text, as the disassembler prints it, or nothing.
sub constant
{
    my ($text) = @_;
    return if $text =~ /^j|^call|\(%rip\)/;
    return $text =~ /\$(0x\w+)/ ? $1 : $text =~ /(-?0x\w+)\(/ ? $1 : undef;
}

sub value_of
{
    my ($digits) = @_;
    no warnings 'portable';
    return $digits =~ /^-(.*)/ ? -hex $1 : unpack 'q', pack 'Q', hex $digits;
}

# Ways the constant of an instruction may be encoded, each with the edit applied.
sub constant_trials
{
    my ($insn, $delta) = @_;
    my $digits = constant($insn->{text}) // return;
    my $value  = value_of($digits);
    my $length = length $insn->{bytes};
    my @trials;
    for my $width (8, 4, 2, 1) {
        my $want = substr pack('q', $value), 0, $width;
        my $new  = substr pack('q', $value + $delta), 0, $width;
        for my $at (reverse 1 .. $length - $width) {
            next if substr($insn->{bytes}, $at, $width) ne $want;
            my $bytes = $insn->{bytes};
            substr($bytes, $at, $width) = $new;
            push @trials, { bytes => $bytes, value => $value + $delta };
        }
    }
    return @trials;
}

# Texts of instructions, in order, decoded in one go: each stands in its own 32 bytes.
sub decode
{
    my ($dir, @bytes) = @_;
    my $path = "$dir/trials.bin";
    spew($path, join '', map { $_ . "\x90" x (32 - length $_) } @bytes);
    my @texts;
    for (lines_of($opt{objdump}, qw(-D -w -z -b binary -m i386:x86-64), $path)) {
        next unless /^\s*(\w+):\t((?:\w\w )+)\s*\t?(.*)$/ && hex($1) % 32 == 0;
        my ($address, $hex, $text) = (hex $1, $2, $3);
        $text =~ s/\s*(?:#|<).*//;
        $texts[$address / 32] =
            { text => $text =~ s/\s+/ /gr =~ s/ $//r, length => length($hex =~ s/ //gr) / 2 };
    }
    return @texts;
}

# Is this the same instruction with another constant, and that the wanted one?
sub is_edited
{
    my ($insn, $trial, $decoded) = @_;
    my ($old, $new) = (constant($insn->{text}), constant($decoded->{text} // ''));
    return if !defined $new || $decoded->{length} != length $insn->{bytes};
    return if $insn->{text} =~ s/\Q$old\E//r ne $decoded->{text} =~ s/\Q$new\E//r;
    # 32-bit operands are printed without their sign.
    return (value_of($new) & 0xffffffff) == ($trial->{value} & 0xffffffff);
}

# All constant edits of all instructions that decode to what was meant.
sub constant_edits
{
    my ($dir, @insns) = @_;
    my (@trials, %done, @edits);
    for my $insn (@insns) {
        for my $delta (1, -1) {
            push @trials, map { { %$_, insn => $insn, edit => sprintf 'const%+d', $delta } }
                constant_trials($insn, $delta);
        }
    }
    my @decoded = decode($dir, map { $_->{bytes} } @trials);
    for my $i (0 .. $#trials) {
        my $trial = $trials[$i];
        next if !is_edited($trial->{insn}, $trial, $decoded[$i]);
        next if $done{ "$trial->{insn} $trial->{edit}" }++;
        push @edits, $trial;
    }
    return @edits;
}

# Every mutant of these instructions, in code order.
sub mutants
{
    my ($dir, @insns) = @_;
    my @all = map {
        { insn => $_, edit => 'nop', bytes => "\x90" x length $_->{bytes} }
    } @insns;
    for my $insn (@insns) {
        my $bytes = inverted($insn->{bytes}) // next;
        push @all, { insn => $insn, edit => 'invert', bytes => $bytes };
    }
    push @all, constant_edits($dir, @insns);
    $_->{key} = sprintf '%s +0x%x %s', $_->{insn}{kernel}, $_->{insn}{at}, $_->{edit}
        for @all;
    return sort {
        $a->{insn}{kernel} cmp $b->{insn}{kernel} || $a->{insn}{at} <=> $b->{insn}{at} ||
            $a->{edit} cmp $b->{edit}
    } @all;
}

# `count` of the list, chosen by the seed alone, in the order of the list.
sub chosen
{
    my ($count, $seed, @list) = @_;
    my $state = $seed;
    my %rank;
    for my $i (0 .. $#list) {
        $state = ($state * 1103515245 + 12345) % 2147483648;
        $rank{$i} = $state >> 8;
    }
    my @order = sort { $rank{$a} <=> $rank{$b} || $a <=> $b } 0 .. $#list;
    splice @order, $count if @order > $count;
    return @list[sort { $a <=> $b } @order];
}

# ---- running and judging

# Write the objects and their contracts; returns the path of the contract file.
sub write_mutants
{
    my ($dir, @mutants) = @_;
    my (%object, %text_at, @ini);
    for my $i (0 .. $#mutants) {
        my $m      = $mutants[$i];
        my $kernel = $m->{insn}{kernel};
        my $path   = "$opt{objects}/$kernel.S.o";
        $object{$kernel}  //= slurp($path);
        $text_at{$kernel} //= text_offset($path);
        $m->{name} = sprintf 'm%03d', $i;
        my $bytes = $object{$kernel};
        my $at    = $text_at{$kernel} + $m->{insn}{start} + $m->{insn}{at};
        substr($bytes, $at, length $m->{bytes}) eq $m->{insn}{bytes}
            or die "$path: the code is not where .text says\n";
        substr($bytes, $at, length $m->{bytes}) = $m->{bytes};
        spew("$dir/$m->{name}.o", $bytes);
        push @ini, "; $m->{key} | $m->{insn}{text}", "[$m->{name}]",
            "object = $m->{name}.o", "symbol = $kernel",
            contract_lines($opt{contracts}, $kernel, qw(object symbol)), '';
    }
    spew("$dir/mutants.ini", join "\n", @ini);
    return "$dir/mutants.ini";
}

# Verdicts by section name: { verdict, slug }.
sub read_results
{
    my ($path) = @_;
    my %got;
    for (split /\n/, slurp($path)) {
        my $o = decode_json($_);
        $got{ $o->{kernel} }{slug} //= $o->{slug}   if $o->{type} eq 'finding';
        $got{ $o->{kernel} }{verdict} = $o->{verdict} if $o->{type} eq 'kernel';
    }
    return %got;
}

# The argued survivors: key => { text, why }.
sub read_equivalent
{
    my ($path) = @_;
    my %list;
    for (defined $path ? split /\n/, slurp($path) : ()) {
        next if /^\s*(?:#|$)/;
        my ($key, $text, $why) = split /\s*\|\s*/, $_, 3;
        defined $why && $why =~ /\w/ or die "$path: \"$_\": KEY | INSTRUCTION | WHY\n";
        !$list{$key} or die "$path: $key is listed twice\n";
        $list{$key} = { text => $text, why => $why };
    }
    return %list;
}

# Lines about everything that is not as it should be.
sub complaints
{
    my ($mutants, $all, $got, $equivalent) = @_;
    my (@bad, %exists);
    $exists{ $_->{key} } = $_->{insn}{text} for @$all;
    for my $m (@$mutants) {
        my $r       = $got->{ $m->{name} } || {};
        my $verdict = $r->{verdict} // 'missing';
        my $line    = "$m->{key} | $m->{insn}{text}";
        $m->{killed} = $verdict eq 'fail';
        $m->{argued} = $verdict eq 'pass' && $equivalent->{ $m->{key} };
        if ($m->{killed}) {
            push @bad, "killed though listed: $line | $r->{slug}" if $equivalent->{ $m->{key} };
        } elsif ($verdict ne 'pass') {
            push @bad, "no verdict ($verdict): $line";
        } elsif (!$equivalent->{ $m->{key} }) {
            push @bad, "survived: $line";
        }
    }
    for my $key (sort keys %$equivalent) {
        my $text = $exists{$key};
        push @bad, "listed but no such mutant: $key | $equivalent->{$key}{text}"
            if ($text // '') ne $equivalent->{$key}{text};
    }
    return @bad;
}

my $dir = $opt{keep} // tempdir(CLEANUP => 1);
-d $dir || mkdir $dir or die "$dir: $!\n";

my (@insns, %left_out);
for my $insn (map { instructions($_, "$opt{objects}/$_.S.o") } @kernels) {
    my $why = excluded($insn);
    $why ? $left_out{$why}++ : push @insns, $insn;
}
my @all     = mutants($dir, @insns);
my @mutants = chosen($opt{count}, $opt{seed}, @all);

if ($opt{list}) {
    print "$_->{key} | $_->{insn}{text}\n" for @mutants;
    exit 0;
}

my $results = $opt{results} // "$dir/results.jsonl";
if (defined $opt{results}) {
    $mutants[$_]{name} = sprintf 'm%03d', $_ for 0 .. $#mutants;
} else {
    my $ini = write_mutants($dir, @mutants);
    open my $out, '-|', $opt{tool}, 'verify', '--contract', $ini, '--format', 'jsonl',
        '--budget', $opt{budget}
        or die "$opt{tool}: $!\n";
    my $text = do { local $/; <$out> } // '';
    close $out;
    $? >> 8 == 1 || $? == 0 or die "$opt{tool}: exit status " . ($? >> 8) . "\n";
    spew($results, $text);
}

my %got        = read_results($results);
my %equivalent = read_equivalent($opt{equivalent});
my @bad        = complaints(\@mutants, \@all, \%got, \%equivalent);
print "$_\n" for @bad;

my $killed = grep { $_->{killed} } @mutants;
my $argued = grep { $_->{argued} } @mutants;
printf "%d mutants of %d possible in %s: %d killed, %d argued equivalent, %d not explained\n",
    scalar @mutants, scalar @all, join(' ', @kernels), $killed, $argued,
    @mutants - $killed - $argued;
printf "left out: %d instructions (%s)\n", sum0(values %left_out),
    join(', ', map { "$left_out{$_} $_" } sort keys %left_out) || 'none';
exit(@bad ? 1 : 0);
