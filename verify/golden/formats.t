#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# formats.t - every format of --format and --report, read back by what reads it, and the
# files of --report: whole or untouched

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my ($exit, $out, $err) = tool('verify', '--help');
my ($list) = $out =~ /^  --format NAME +(.*)$/m;
my @formats = split /, | or /, $list;
is_deeply([sort @formats], [qw(gcc github jsonl junit markdown tap text)], 'the formats')
    or diag($out);

# ---- one specimen, word for word ----

# What differs from run to run and from machine to machine.
sub settled
{
    my ($text) = @_;
    $text =~ s/\b\d+\.\d+ s\b/T s/g;
    $text =~ s/(seed \d+), .*?, T s\)/$1, CPU, T s)/g;
    $text =~ s/time="[\d.]+"/time="T"/g;
    $text =~ s/(<property name="(cpu|fencepost)" value=)"[^"]*"/$1"X"/g;
    $text =~ s/\Q$ENV{SPECIMENS}\E/SPECIMENS/g;
    return $text;
}

# A report of each format from one run: format => text.
sub reports_of
{
    my ($want, @words) = @_;
    my %path = map { $_ => scratch() . "/report.$_" } @formats;
    ($exit, $out, $err) = tool(@words, map { ('--report', "$_=$path{$_}") } @formats);
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is($exit, $want, "all reports at once: exit $want") or diag("$out$err");
    return map { $_ => read_file($path{$_}) } @formats;
}

my %golden = reports_of(1, 'verify', specimen_words('page_copy_jge'));
my $summary = '0 pass, 1 fail, 0 skip, 0 inconclusive, 1 finding  (16 cases, seed 1, CPU, T s)';
my $replay = "fencepost replay --contract SPECIMENS/a.ini page_copy_jge v1";
my $place = 'verify/specimens/a_page_copy_jge.S';
my $where = "page_copy_jge+0x24  movntq %mm0,(%rdi)  $place:31  (iteration 65)";
my $finding = <<"TEXT";
page_copy_jge: stray-write: 64 bytes past the end of dst, first at dst+4096
  case    v1
  where   $where
  also    stray-read
  replay  $replay
TEXT

is(settled($golden{text}), <<"TEXT", 'text: a specimen');
${finding}fail  page_copy_jge  16 cases T s  1 finding  footprint failed
$summary
TEXT
is(settled($golden{gcc}), <<"TEXT", 'gcc: a specimen');
$place:31:1: error: page_copy_jge: 64 bytes past the end of dst, first at dst+4096 [fencepost-stray-write]
$place:31:1: note: case: v1
$place:31:1: note: where: $where
$place:31:1: note: also: stray-read
$place:31:1: note: replay: $replay
fencepost: note: $summary
TEXT
is(settled($golden{github}), <<"TEXT" =~ s/\n  (?=[cawr])/%0A  /gr =~ s/%(?=mm0|rdi)/%25/gr, 'github: a specimen');
::error file=$place,line=31,title=stray-write%3A page_copy_jge::@{[$finding =~ s/\n\z//r]}
::notice title=fencepost verify::$summary
TEXT
is(settled($golden{markdown}), <<"TEXT", 'markdown: a specimen');
## fencepost verify

$summary

| verdict | kernel | cases | findings | remarks |
|---|---|---:|---:|---|
| **fail** | `page_copy_jge` | 16 | 1 | footprint failed |

### stray-write in `page_copy_jge`

64 bytes past the end of dst, first at dst+4096 (`$place:31`)

```text
$finding```
TEXT
is(settled($golden{junit}), <<"TEXT", 'junit: a specimen');
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="fencepost verify" tests="1" failures="1" errors="0" skipped="0" time="T">
    <properties>
      <property name="fencepost" value="X"/>
      <property name="cpu" value="X"/>
      <property name="seed" value="1"/>
      <property name="exit" value="1"/>
    </properties>
    <testcase classname="fencepost.verify" name="page_copy_jge" time="T" file="$place" line="31">
      <failure type="stray-write" message="64 bytes past the end of dst, first at dst+4096">$finding</failure>
      <system-out>cases   16
checks  bytes ok  footprint failed  state ok  order ok: fenced on every path  blocks 3 of 3
</system-out>
    </testcase>
    <system-out>$summary</system-out>
  </testsuite>
</testsuites>
TEXT

# ---- names that hold anything, source lines, several kernels ----

my $folder = scratch() . '/a,b%41';
mkdir $folder or die;
my $odd = "x|y`<&'>,%0A\xc3\xa9_memcpy";
my $source = write_file('a,b%41/odd.S', <<"ASM");
        .macro  copy name, adjust
        .globl  "\\name"
        .type   "\\name", \@function
"\\name":
        mov     %rdi, %rax
        mov     %rdx, %rcx
        \\adjust
        rep movsb
        ret
        .size   "\\name", . - "\\name"
        .endm
        copy    good_memcpy, nop
        copy    "$odd", "inc %rcx"
        .globl  crash_memcpy
        .type   crash_memcpy, \@function
crash_memcpy:
        mov     %rdi, %rax
        mov     0, %rcx
        ret
        .size   crash_memcpy, . - crash_memcpy
ASM
chdir $folder or die;
system('gcc', '-g', '-c', '-o', 'odd.o', 'odd.S') == 0 or die "cannot assemble odd.S\n";
my @all = ('verify', 'odd.o', '--budget', 'quick', '--srcroot', '.');
my %report = reports_of(1, @all);
my @json = json_lines($report{jsonl});
for my $object (@json) {
    utf8::encode($object->{$_}) for grep { !ref $object->{$_} } keys %$object;
}
my %found = map { $_->{kernel} => $_ } grep { $_->{type} eq 'finding' } @json;
my @kernels = map { $_->{kernel} } grep { $_->{type} eq 'kernel' } @json;
is_deeply([sort map { s/.*:(crash|good|x).*/$1/r } @kernels], [qw(crash good x)], 'three kernels')
    or diag($report{jsonl});
is(scalar(keys %found), 2, 'two of them with a finding');
my ($odd_kernel) = grep { /odd\.o:x/ } @kernels;

# JUnit by a reader of XML.
sub xpath
{
    my ($path) = @_;
    my $file = write_file('x.xml', $report{junit});
    open my $pipe, '-|', 'xmllint', '--nonet', '--xpath', $path, $file or die "xmllint: $!\n";
    local $/;
    my $got = <$pipe> // '';
    close $pipe;
    return $got =~ s/\n\z//r;
}
my $suite = '/testsuites/testsuite';
is(xpath("concat($suite/\@tests, ' ', $suite/\@failures, ' ', count($suite/testcase), ' ',"
        . " count($suite/testcase/failure))"),
    '3 2 3 2', 'junit: counts are what is there');
is(xpath("string($suite/testcase[contains(\@name, ':x')]/\@name)"), "odd.o:$odd",
    'junit: the odd name survives');
is(xpath("string($suite/testcase[contains(\@name, ':crash')]/failure/\@type)"), 'crash',
    'junit: the type is the slug');
is(xpath("concat($suite/testcase[contains(\@name, ':crash')]/\@file, ':',"
        . " $suite/testcase[contains(\@name, ':crash')]/\@line)"),
    'odd.S:18', 'junit: where it crashed');
like(xpath("string($suite/testcase[contains(\@name, ':x')]/failure)"),
    qr/^\Qodd.o:$odd\E: stray-write: .*\n  case    v1 .*\n(  (where|also) .*\n)*  replay  fencepost replay /,
    'junit: the finding is in it');

# gcc: each line is one a compiler could have printed.
my @lines = split /\n/, $report{gcc};
my @strange = grep { !/\A(odd\.S:\d+:1|fencepost): (error|warning|note): \S.*\z/ } @lines;
is_deeply(\@strange, [], 'gcc: every line has its form');
for my $k (sort keys %found) {
    my ($f, $line) = ($found{$k}, $k =~ /crash/ ? 18 : '\d+');
    is(scalar(grep { /\Aodd\.S:$line:1: error: \Q$k: $f->{message}\E \[fencepost-$f->{slug}\]\z/ } @lines),
        1, "gcc: $f->{slug}");
    is(scalar(grep { /\Aodd\.S:$line:1: note: replay: \Q$f->{replay}\E\z/ } @lines), 1,
        "gcc: its replay line");
}

# TAP: a plan, and a test for each kernel.
is(scalar(() = $report{tap} =~ /^(not )?ok \d+ - odd\.o:/mg), 3, 'tap: three tests');
like($report{tap}, qr/^1\.\.3$/m, 'tap: and their plan');

# github: read as the runner does.
sub decoded
{
    my ($text, %also) = @_;
    my %code = ('%25' => '%', '%0D' => "\r", '%0A' => "\n", %also);
    return $text =~ s/(%25|%0D|%0A|%3A|%2C)/$code{$1} \/\/ $1/ger;
}
my %seen;
for (split /\n/, $report{github}) {
    ok(/\A::(error|warning|notice) ((?:\w+=[^:,]*,?)*)::(.*)\z/, 'github: a command')
        or diag($_), next;
    my ($level, $message) = ($1, decoded($3));
    my %property = map { /(\w+)=(.*)/ ? ($1 => decoded($2, '%3A' => ':', '%2C' => ',')) : () }
        split /,/, $2;
    $seen{ $property{title} } = { %property, level => $level, message => $message };
}
for my $k (sort keys %found) {
    my $f = $found{$k};
    my $s = $seen{"$f->{slug}: $k"};
    ok($s && $s->{level} eq 'error' && $s->{file} eq 'odd.S' && $s->{line} > 0,
        "github: $f->{slug} has its place") or diag($report{github});
    like($s->{message} // '', qr/\A\Q$k: $f->{slug}: $f->{message}\E\n.*^  replay  \Q$f->{replay}\E\z/ms,
        'github: and its text');
}
is($seen{'fencepost verify'}{level}, 'notice', 'github: the summary');

# markdown: five cells a row whatever the name, one section and one block for each finding.
my ($table) = $report{markdown} =~ /^(\| verdict .*?)\n\n/ms;
my @rows = split /\n/, $table // '';
is_deeply([map { tr/|// } @rows], [(6) x 5], 'markdown: a table of three rows') or diag($table);
like($rows[-1] . $rows[-2] . $rows[-3], qr/<code>odd\.o:x&#124;y&#96;&lt;&amp;'&gt;,%0A\xc3\xa9&#95;memcpy<\/code>/,
    'markdown: the odd name');
is(scalar(() = $report{markdown} =~ /^### /mg), 2, 'markdown: two sections');
is(scalar(() = $report{markdown} =~ /^```/mg), 4, 'markdown: two blocks');
like($report{markdown}, qr/^SIGSEGV.* \(`odd\.S:18`\)$/m, 'markdown: where it crashed');

# Without --srcroot names are as the object has them; a folder of another name changes nothing.
($exit, $out) = tool(@all[0 .. 3], '--format', 'gcc');
like($out, qr/^\Q$folder\E\/odd\.S:18:1: error: /m, 'without --srcroot') or diag($out);
($exit, $out) = tool(@all[0 .. 3], '--format', 'gcc', '--srcroot', scratch() . '/a');
like($out, qr/^\Q$folder\E\/odd\.S:18:1: error: /m, 'another --srcroot') or diag($out);
($exit, $out) = tool(@all[0 .. 3], '--format', 'gcc', '--srcroot', scratch() . '/');
like($out, qr/^a,b%41\/odd\.S:18:1: error: /m, '--srcroot further up') or diag($out);
refused(qr/--srcroot nowhere: No such file/, @all[0 .. 3], '--srcroot', 'nowhere');

# What was said about a guess is in every format that has room for it.
like($report{$_}, qr/good_memcpy: contract memcpy \(guessed/, "$_: a guess is said to be one")
    for qw(text tap junit gcc);

# What could not be judged.
write_file('a,b%41/open.S', <<'ASM');
        .globl  open_memcpy
        .type   open_memcpy, @function
open_memcpy:
        mov     %rdi, %rax
        mov     %rdx, %rcx
        xor     %edx, %edx
        jnz     .Lnever
        rep movsb
        ret
.Lnever:
        nop
        ret
        .size   open_memcpy, . - open_memcpy
ASM
($exit, $out) = tool('verify', 'open.S:open_memcpy', '--require', 'coverage', '--format', 'github');
like($out, qr/^::warning .*title=inconclusive%3A open\.S%3Aopen_memcpy::.*coverage/m,
    'github: an open verdict is a warning') or diag($out);

# ---- replay ----

my $crash = (grep { /crash/ } @kernels)[0];
my @replay = ('replay', $crash, 'v1 n=0', '--srcroot', '.');
%report = reports_of(1, @replay);
like($out, qr/\A\Q$crash\E:\ crash:\ [^\n]*\n
    \ \ case\ \ \ \ v1\ n=0\n
    \ \ where\ \ \ [^\n]*\ \ odd\.S:18\n
    \ \ replay\ \ [^\n]*\n\z/x, 'replay: stdout has the finding only') or diag($out);
like($report{text}, qr/^fail  \Q$crash\E /m, 'replay: a text report has the verdict');
is(xpath("concat($suite/\@name, ' ', $suite/\@failures)"), 'fencepost replay 1', 'replay: junit');
like($report{gcc}, qr/^odd\.S:18:1: error: /, 'replay: gcc');
like($report{markdown}, qr/^## fencepost replay$/m, 'replay: markdown');
refused(qr/cannot write/, @replay, '--report', 'junit=/nonexistent/x');

# ---- files ----

my @good = ('verify', 'odd.o:good_memcpy', '--budget', 'quick', '--quiet');
my $tmp = scratch() . '/files';
mkdir $tmp or die;

sub files
{
    opendir my $d, $tmp or die;
    return [sort grep { !/\A\.\.?\z/ } readdir $d];
}

refused(qr/unknown format 'jnuit'; did you mean junit\?/, @good, '--report', "jnuit=$tmp/x");
refused(qr/unknown format 'xyzxyzxyz'; there are \Q$list\E$/, @good, '--report', "xyzxyzxyz=$tmp/x");
refused(qr/unknown format 'xyzxyzxyz'; there are \Q$list\E$/, @good, '--format', 'xyzxyzxyz');
refused(qr/expected FORMAT=FILE/, @good, '--report', $_) for 'junit', 'junit=', '=x';
refused(qr/two reports to one file, .*\.\/x$/,
    @good, '--report', "junit=$tmp/x", '--report', "gcc=$tmp/./x");
refused(qr/standard output already has format junit/,
    @good, '--report', 'junit=-', '--report', 'gcc=-');
refused(qr/standard output already has format tap/,
    @good, '--format', 'tap', '--report', 'junit=-');
refused(qr/cannot write \Q$tmp\E: Is a directory/,         @good, '--report', "gcc=$tmp");
refused(qr/cannot write .*: Is a directory/,               @good, '--report', "gcc=$tmp/");
refused(qr/cannot write .*nope\/x: No such file/,          @good, '--report', "gcc=$tmp/nope/x");
refused(qr/more than \d+ --report/, @good, map { ('--report', "gcc=$tmp/$_") } 1 .. 30);
# One bad path is enough, and it is found before any subject is.
refused(qr/cannot write/, 'verify', 'nonexistent.o:f', '--report', "gcc=$tmp/x",
    '--report', 'gcc=/nonexistent/x');
refused(qr/nonexistent\.o/, 'verify', 'nonexistent.o:f', '--report', "gcc=$tmp/x");
is_deeply(files(), [], 'none of these made a file');

($exit, $out) = tool(@good, '--report', 'gcc=-');
like($out, qr/\Afencepost: note: .*\nfencepost: note: 1 pass, .*\n\z/, 'FORMAT=- is standard output');

# Replaced as a whole, with its mode; a link stays one; what fails leaves the old one.
write_file('files/old', "old\n");
chmod 0640, "$tmp/old" or die;
symlink 'old', "$tmp/link" or die;
umask 027;
($exit) = tool(@good, '--report', "gcc=$tmp/link", '--report', "junit=$tmp/new");
umask 022;
is($exit, 0, 'a report through a link');
is_deeply(files(), [qw(link new old)], 'leaves nothing else behind');
ok(-l "$tmp/link" && read_file("$tmp/old") =~ /^fencepost: note: 1 pass/m, 'and the link');
is((stat "$tmp/old")[2] & 0777, 0640, 'the mode of the old file');
is((stat "$tmp/new")[2] & 0777, 0640, 'the mode that umask gives');
refused(qr/nonexistent\.o/, 'verify', 'nonexistent.o:f', '--report', "gcc=$tmp/new");
like(read_file("$tmp/new"), qr/<testsuites>/, 'a run that fails leaves the old report');
SKIP: {
    skip('root may write anything', 1) if $> == 0;
    chmod 0440, "$tmp/new" or die;
    refused(qr/cannot write .*: Permission denied/, @good, '--report', "gcc=$tmp/new");
}
($exit, $out, $err) = tool(@good, '--report', 'junit=/dev/full');
ok($exit == 4 && $err =~ /cannot write all of \/dev\/full: No space/, 'a full disk exits 4')
    or diag("$exit $err");
system("$ENV{FENCEPOST} @good --report junit=$tmp/both >$tmp/both 2>$tmp/err");
ok($? >> 8 == 2 && read_file("$tmp/err") =~ /it is standard output$/, 'a report over stdout')
    or diag(read_file("$tmp/err"));

# ---- interrupted ----

for my $signal ('INT', 'TERM') {
    my $number = $signal eq 'INT' ? 2 : 15;
    mkdir "$tmp/$signal" or die;
    my $pid = fork // die;
    if ($pid == 0) {
        $SIG{INT} = 'DEFAULT';
        open STDOUT, '>', '/dev/null' or die;
        exec $ENV{FENCEPOST}, 'verify', 'odd.o', '--budget', '60s', '--jobs', '1',
            map { ('--report', "$_=$tmp/$signal/$_") } @formats or die;
    }
    sleep 2;
    my @early = grep { -e "$tmp/$signal/$_" } @formats;
    kill $signal, $pid;
    waitpid $pid, 0;
    is($? >> 8, 128 + $number, "SIG$signal: exit status");
    is_deeply(\@early, [], "SIG$signal: no report before the end");
    opendir my $d, "$tmp/$signal" or die;
    is_deeply([sort grep { !/\A\./ } readdir $d], [sort @formats], "SIG$signal: all reports after it");
    %report = map { $_ => read_file("$tmp/$signal/$_") } @formats;
    is(xpath("concat($suite/\@tests, ' ', $suite/properties/property[\@name='exit']/\@value)"),
        '3 ' . (128 + $number), "SIG$signal: junit is whole");
    like($report{$_}, qr/interrupted: /, "SIG$signal: $_ says so") for grep { $_ ne 'jsonl' } @formats;
}

# ---- an emulated CPU ----

{
    local $ENV{FENCEPOST_ASSUME_EMULATED} = 1;
    %report = reports_of(3, 'verify', 'odd.o:good_memcpy');
    like($out, qr/\Aemulated CPU: nothing was checked/, 'an emulated CPU is said first');
    is(xpath("concat($suite/\@tests, ' ', $suite/\@skipped)"), '1 1', 'and in a report');
    @json = json_lines($report{jsonl});
    is_deeply([map { ref eq 'HASH' ? $_->{type} : $_ } @json], [qw(kernel summary)], 'as objects');
    is_deeply([$json[0]{verdict}, $json[1]{exit}], ['inconclusive', 3], 'with the verdict');
}

chdir '/';
done_testing();
