#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# boxes.t - declared boxes: tried when asked for, counted when not, and --resume

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;
use Time::HiRes qw(sleep time);

# `late` copies a byte too many at the last point of its box only.
my $object = assemble('boxes', <<'ASM');
        .macro  copy name
        .globl  \name
        .type   \name, @function
\name:
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
        .size   \name, . - \name
        .endm
        copy    good
        copy    plain
        .globl  page
        .type   page, @function
page:   mov     $64, %ecx
        rep movsb
        ret
        .size   page, . - page
        .globl  late
        .type   late, @function
late:   mov     %rdi, %rax
        mov     %rdx, %rcx
        lea     -1999(%rdx), %r8
        mov     %edi, %r9d
        not     %r9d
        and     $63, %r9d
        or      %r9, %r8
        mov     %esi, %r9d
        not     %r9d
        and     $63, %r9d
        or      %r9, %r8
        jnz     1f
        inc     %rcx
1:      rep movsb
        ret
        .size   late, . - late
ASM
my $proto = 'proto = void *f(void dst[n], const void src[n], size_t n)';

# Sanitized, the planner and the checks are slow.
my $from  = $ENV{VARIANT} eq 'dev' || $ENV{VARIANT} eq 'release' ? 0 : 1800;
my $all   = (2000 - $from) * 64 * 64;
my $ini   = write_file('boxes.ini', <<"INI");
[*]
object = $object
op     = copy
[late]
$proto
box    = dst=0:63 src=0:63 n=$from:1999
[good]
$proto
box    = n=0:99 dst=0:63 + n=100:109 src=0:63
[plain]
$proto
[page]
proto  = void f(void dst[64], const void src[64])
box    = dst=0:63 src=0:63
INI

# One run over sections: the exit status, its kernels and summary, stderr.
sub run
{
    my ($code, $out, $err) = tool('verify', '--contract', $ini, '--budget', 'quick', '-j1',
        '--format', 'jsonl', @_);
    my @lines = json_lines($out);
    my %run = (exit => $code, err => $err, text => "$code $out$err", slugs => '');
    for my $line (@lines) {
        $run{slugs} .= "$line->{slug} $line->{case} " if $line->{type} eq 'finding';
        $run{$line->{kernel}} = $line if $line->{type} eq 'kernel';
        $run{summary} = $line if $line->{type} eq 'summary';
    }
    return %run;
}

# ---- not tried ----

my %run = run('good', 'plain', 'page');
is_deeply($run{good}{box}, { points => 7040, tried => 0 }, 'quick counts a box and leaves it out')
    or diag($run{text});
ok(!$run{plain}{box}, 'a kernel without one has none');
is($run{summary}{boxes_left_out}, 2, 'the summary counts boxes left out');
my ($code, $out, $err) = tool('verify', '--contract', $ini, '--budget', 'quick', '-v');
like($out, qr/  3 declared boxes not tried: --exhaustive box$/m, 'in text, with the way to try them');
like($out, qr/^pass  good  .*  box of 7,040 points not tried$/m, '-v says which');
my $bad = write_file('bad.ini', "[good]\nobject = $object\n$proto\nop = copy\nbox = n=5:4\n");
like(refused(qr/good: box: n=5:4 is not a range/, 'verify', '--contract', $bad),
    qr/\Afencepost: /, 'a box that cannot be read is an error also when it is left out');

# ---- tried ----

%run = run('good', 'plain', 'page', '--exhaustive', 'box');
is_deeply($run{good}{box}, { points => 7040, tried => 7040 }, '--exhaustive box') or diag($run{text});
is($run{good}{cases}, 7040 + 2500, 'beside the cases of the budget');
like($run{good}{notes}[0], qr/^box complete: all 7040 points, those the contract allows$/, 'said so');
like($run{plain}{notes}[0], qr/^no box is declared: /, 'a kernel without a box says so');
ok(!exists $run{summary}{boxes_left_out}, 'nothing is left out then');
%run = run('page', '--budget', 'deep');
is($run{page}{box}{tried}, 4096, 'the deep budget tries declared boxes');
is($run{page}{cases}, 4096 + 200000, 'and its own cases');
%run = run('plain', 'good', '--exhaustive', 'n=1:3 + n=7 dst=0:63');
is_deeply([map { $run{$_}{box}{tried} } qw(plain good)], [67, 67], 'a box for all kernels') or diag($run{text});
refused(qr/no contract of this run declares a box/, 'verify', '--contract', $ini, 'plain',
    '--exhaustive', 'box');

# The shipped kernels all have one.
($code, $out) = tool('verify', '--builtin', '--budget', 'quick', '--format', 'jsonl');
my @unboxed = map { $_->{kernel} } grep { $_->{type} eq 'kernel' && !$_->{box} } json_lines($out);
is("@unboxed", '', 'every built-in kernel declares a box');

# ---- resumed ----

my $cursor = scratch() . '/boxes.cursor';

sub line_of
{
    my ($kernel) = @_;
    return read_file($cursor) =~ /^(\d+) of (\d+)  [\d.]+%  \Q$kernel\E  [0-9a-f]{32}$/m ? ($1, $2) : (0, 0);
}

# Begin a run over `late` and end it by a signal as soon as the file tells of progress.
sub broken_off
{
    my ($signal) = @_;
    my ($before) = line_of('late');
    my $end = time + 60;
    my $pid = fork // die;
    if ($pid == 0) {
        $SIG{INT} = 'DEFAULT';
        open STDOUT, '>', scratch() . '/broken.out' or die;
        exec $ENV{FENCEPOST}, 'verify', '--contract', $ini, 'late', '--budget', 'quick', '-j1',
            '--format', 'jsonl', '--exhaustive', 'box', '--resume', $cursor or die;
    }
    sleep 0.02 while (line_of('late'))[0] == $before && time < $end;
    kill $signal, $pid;
    waitpid $pid, 0;
    return ($? & 127 || ($? >> 8) - 128, grep { ref } json_lines(read_file(scratch() . '/broken.out')));
}

my ($signal, @lines) = broken_off('INT');
my ($tried, $of) = line_of('late');
is($signal, 2, 'Ctrl-C');
ok($tried > 0 && $tried < $all && $of == $all, "$tried of $all points are in the file");
is($lines[0]{verdict}, 'inconclusive', 'interrupted is no verdict');
is($lines[0]{box}{tried}, $tried, 'the report says as much as the file');
($signal) = broken_off('KILL');
my ($further) = line_of('late');
is($signal, 9, 'killed');
ok($further > $tried, "$further points after the second run");
%run = run('late', '--exhaustive', 'box', '--resume', $cursor);
is($run{exit}, 1, 'the third run finds what is wrong at the end of the box') or diag($run{text});
is($run{slugs}, 'stray-write v1 n=1999 dst=63 src=63 ', 'at the point where it is');
is($run{late}{box}{earlier}, $further, 'it began behind what was tried');
ok($run{late}{box}{earlier} + $run{late}{box}{tried} <= $all, 'no point counts twice');
my ($clean) = line_of('late');
ok($clean > $further && $clean < $all, 'what failed is not in the file');
%run = run('late', '--exhaustive', 'box', '--resume', $cursor);
is("$run{exit} $run{slugs}", '1 stray-write v1 n=1999 dst=63 src=63 ', 'so it is found again');
is($run{late}{box}{earlier}, $clean, 'without the points before it');
unlike($run{text}, qr/begun anew/, 'as the same box');

# A complete box, kernels side by side in one file, and zero cases never pass.
%run = run('good', 'page', '--exhaustive', 'box', '--resume', $cursor);
is($run{exit}, 0, 'other kernels in the same file') or diag($run{text});
is_deeply([line_of('late')], [$clean, $all], 'leave the lines of others alone');
is_deeply([line_of('good')], [7040, 7040], 'complete');
%run = run('good', '--exhaustive', 'box', '--resume', $cursor);
is_deeply($run{good}{box}, { points => 7040, tried => 0, earlier => 7040 }, 'nothing left to try');
is($run{good}{cases}, 2500, 'but the cases of the budget');
like($run{good}{notes}[0], qr/^box complete: all 7040 points, .*; 7040 of them in earlier runs$/,
    'the note tells what is whose');

# What is not the same any more begins anew.
for my $other (['another box', '--exhaustive', 'n=1:3'], ['other rules', '--exhaustive', 'box', '--skip', 'hang'],
    ['back again', '--exhaustive', 'box']) {
    my ($what, @words) = @$other;
    %run = run('good', '--resume', $cursor, @words);
    ok($run{exit} == 0 && !$run{good}{box}{earlier} && $run{good}{box}{tried} == $run{good}{box}{points},
        "$what: from the first point on") or diag($run{text});
    like($run{good}{notes}[0], qr/^box begun anew: /, "$what: a note");
}

# ---- what cannot be had ----

refused(qr/--resume: no box is enumerated/, 'verify', '--contract', $ini, '--resume', scratch() . '/none');
ok(!-e scratch() . '/none', 'no file is made then');
my @resume = ('verify', '--contract', $ini, 'good', '--exhaustive', 'box', '--resume');
refused(qr/cannot write .*no-such-folder/, @resume, scratch() . '/no-such-folder/c');
refused(qr/cannot write \S+: Is a directory/, @resume, scratch());
refused(qr{/dev/null is no regular file}, @resume, '/dev/null');
my $text = read_file($ini);
refused(qr/boxes\.ini is no cursor file/, @resume, $ini);
is(read_file($ini), $text, 'another file is left alone');
$text = read_file($cursor);
for my $damaged (substr($text, 0, -1), $text =~ s/^(\d+) of/1$1 of/mr, $text =~ s/^\d.*\n//mr) {
    write_file('boxes.cursor', $damaged);
    refused(qr/boxes\.cursor is damaged/, @resume, $cursor);
    is(read_file($cursor), $damaged, 'a damaged file is left alone');
}

# ---- two runs at a time ----

unlink $cursor;
my $pid = fork // die;
if ($pid == 0) {
    open STDOUT, '>', '/dev/null' or die;
    exec $ENV{FENCEPOST}, 'verify', '--contract', $ini, 'late', '--budget', '60s', '--exhaustive', 'box',
        '--resume', $cursor or die;
}
my $end = time + 60;
sleep 0.02 until (line_of('late'))[0] || time > $end;
refused(qr/another run is using \S+boxes\.cursor/, @resume, $cursor);
kill 'TERM', $pid;
waitpid $pid, 0;
%run = run('good', '--exhaustive', 'box', '--resume', $cursor);
is($run{exit}, 0, 'free again when it has ended') or diag($run{text});

done_testing();
