#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# verify.t - verdicts, formats and exit statuses of `fencepost verify`, and list, contract

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use JSON::PP;
use Test::More;

my $object = assemble('kernels', <<'ASM');
        .macro  copy name, adjust
        .globl  \name
        .type   \name, @function
\name:
        mov     %rdi, %rax
        mov     %rdx, %rcx
        \adjust
        rep movsb
        ret
        .size   \name, . - \name
        .endm
        copy    good_memcpy, nop
        copy    long_memcpy, "inc %rcx"
        copy    df_memcpy, std
        .globl  weak_memcpy
        .type   weak_memcpy, @function
weak_memcpy:
        cmp     $4, %rdx
        jb      good_memcpy
        mov     (%rsi), %eax
        movnti  %eax, (%rdi)
        sfence
        jmp     good_memcpy
        .size   weak_memcpy, . - weak_memcpy
        .globl  nameless
        .type   nameless, @function
nameless:
        jmp     good_memcpy
        .size   nameless, . - nameless
        .globl  dirty_memcpy
        .type   dirty_memcpy, @function
dirty_memcpy:
        vcmptrueps %ymm0, %ymm0, %ymm0
        jmp     good_memcpy
        .size   dirty_memcpy, . - dirty_memcpy
        .globl  ud_memcpy
        .type   ud_memcpy, @function
ud_memcpy:
        mov     %rdi, %rax
        clzero
        ret
        .size   ud_memcpy, . - ud_memcpy
ASM
my @copy = ('--proto', 'void *f(void dst[n], const void src[n], size_t n)', '--op', 'copy',
    '--returns', 'dst', '--budget', 'quick');

sub no_seconds
{
    my ($text) = @_;
    $text =~ s/ \d+(\.\d+)? s\b/ T s/g;
    $text =~ s/"seconds": ?[\d.e+-]+/"seconds":T/g;
    return $text;
}

# The built-ins pass.
my ($exit, $out, $err) = tool('verify', '--builtin', '--fail-on', 'warning', '--budget', 'quick');
is($exit, 0, 'built-ins pass') or diag("$out$err");
like($out, qr/^pass  builtin:\S+  [\d,]+ cases /m, 'a line for each that passes');
unlike($out, qr/^(fail|inconclusive)/m, 'none fails');
is($err, '', 'no progress where stderr is no terminal');

# A finding in four lines.
($exit, $out) = tool('verify', "$object:long_memcpy", @copy);
is($exit, 1, 'a finding exits 1');
like($out, qr/^\S*long_memcpy:\ stray-write:\ .*\n
    \ \ case\ \ \ \ v1[^\n]*\n
    (\ \ where\ \ \ [^\n]*\n)?
    (\ \ also\ \ \ \ [^\n]*\n)?
    \ \ replay\ \ fencepost\ replay\ [^\n]*long_memcpy[^\n]*\n/mx, 'the lines of a finding')
    or diag($out);
like($out, qr/^fail  \S*long_memcpy/m, 'its verdict');
unlike($out, qr/\e/, 'no colour in a file');
($exit, my $color) = tool('verify', "$object:long_memcpy", @copy, '--color=always');
like($color, qr/\e\[31m/, '--color=always');

# JSON lines.
($exit, $out) = tool('verify', "$object:long_memcpy", "$object:good_memcpy", @copy,
    '--format', 'jsonl');
is($exit, 1, 'jsonl exits alike');
my @lines = json_lines($out);
ok(!(grep { ref ne 'HASH' || $_->{schema} != 1 || !$_->{type} } @lines),
    'every line has schema and type');
my ($finding) = grep { $_->{type} eq 'finding' } @lines;
is($finding->{slug},    'stray-write', 'the finding has its slug');
is($finding->{command}, 'verify',      'and its command');
like($finding->{kernel}, qr/long_memcpy/, 'and its kernel');
like($finding->{case},   qr/\Av1\b/,      'and its case');
ok(defined $finding->{$_}, "and $_") for qw(severity message first count replay);
my %verdict = map { $_->{kernel} =~ /(\w+)\z/ ? ($1 => $_->{verdict}) : () }
    grep { $_->{type} eq 'kernel' } @lines;
is_deeply(\%verdict, { long_memcpy => 'fail', good_memcpy => 'pass' }, 'verdicts');
my $summary = $lines[-1];
is($summary->{type}, 'summary', 'the summary is last');
is_deeply([@$summary{qw(pass fail exit seed)}], [1, 1, 1, 1], 'and counts');

# TAP is read by its own reader; a failing kernel fails it.
sub prove
{
    my $tap = write_file('out.tap', $_[0]);
    my $script = write_file('tap.sh', "cat '$tap'\n");
    return system("prove --exec sh '$script' >'" . scratch() . "/prove' 2>&1");
}
($exit, $out) = tool('verify', "$object:good_memcpy", @copy, '--format', 'tap');
ok($exit == 0 && prove($out) == 0, 'TAP of a pass') or diag($out);
($exit, $out) = tool('verify', "$object:long_memcpy", @copy, '--format', 'tap');
ok($exit == 1 && prove($out) != 0, 'TAP of a failure') or diag($out);

# Reports beside the main format.
my ($json, $tap) = map { scratch() . "/$_" } qw(r.jsonl r.tap);
($exit, $out) = tool('verify', "$object:long_memcpy", @copy, '--report', "jsonl=$json",
    '--report', "tap=$tap");
is($exit, 1, 'reports do not change the exit status');
like($out, qr/^fail /m, 'the text still comes');
ok((grep { $_->{type} eq 'summary' } json_lines(read_file($json))) == 1, 'a JSON report');
like(read_file($tap), qr/^1\.\.1$/m, 'a TAP report');

# What is kept apart by options.
($exit) = tool('verify', "$object:long_memcpy", @copy, '--skip', 'stray-write',
    '--skip', 'stray-read,wrong-bytes,restored-write');
is($exit, 0, '--skip') or diag($out);
($exit, $out) = tool('verify', "$object:long_memcpy", @copy, '--only', 'hang');
is($exit, 0, '--only') or diag($out);

# Warnings fail only on demand.
SKIP: {
    skip('no AVX here', 2) if `cat /proc/cpuinfo` !~ /\bavx\b/;
    ($exit, $out) = tool('verify', "$object:dirty_memcpy", @copy);
    ok($exit == 0 && $out =~ /upper-dirty/, 'a warning is shown and passes') or diag($out);
    ($exit, $out) = tool('verify', "$object:dirty_memcpy", @copy, '--fail-on', 'warning');
    is($exit, 1, '--fail-on warning') or diag($out);
}

# Skipped and inconclusive.
SKIP: {
    skip('this CPU has clzero', 3) if `cat /proc/cpuinfo` =~ /\bclzero\b/;
    ($exit, $out) = tool('verify', "$object:ud_memcpy", @copy);
    ok($exit == 3 && $out =~ /^skip .*clzero/m, 'a missing feature skips, exit 3') or diag($out);
    ($exit) = tool('verify', "$object:ud_memcpy", @copy, '--skip-exit', '77');
    is($exit, 77, '--skip-exit');
    ($exit, $out) = tool('verify', "$object:good_memcpy", "$object:ud_memcpy", @copy);
    is($exit, 3, 'one named kernel skipped beside one that passes');
}
($exit, $out) = tool('verify', "$object:good_memcpy", @copy, '--require', 'order');
is($exit, 0, '--require order: no weak stores, nothing to check') or diag($out);
($exit, $out) = tool('verify', "$object:good_memcpy", @copy, '--require', 'coverage');
ok($exit == 0 && $out =~ /^pass /m, '--require coverage: every block ran') or diag($out);
($exit, $out) = tool('verify', "$object:weak_memcpy", @copy, '--require', 'order');
ok($exit == 0 && $out =~ /^pass /m, '--require order: a fence behind each weak store')
    or diag($out);
($exit, $out) = tool('verify', "$object:long_memcpy", @copy, '--require', 'order');
is($exit, 1, '--require does not hide a failure');

# Guessed contracts say so.
($exit, $out) = tool('verify', "$object:good_memcpy", '--budget', 'quick');
ok($exit == 0 && $out =~ /\A\S*good_memcpy: contract memcpy \(guessed from the name; --as NAME /,
    'a guess is said first') or diag($out);
like($out, qr/left-over words?: good/, 'with the words it made nothing of') or diag($out);
($exit, $out, $err) = tool('verify', "$object:nameless", '--budget', 'quick');
ok($exit == 2 && $err =~ /nameless/, 'nothing to guess from: exit 2') or diag($out);
($exit, $out) = tool('verify', "$object:nameless", '--as', 'memcpy', '--budget', 'quick');
is($exit, 0, '--as') or diag($out);

# What a file or a glob leaves out is said, in text before the verdicts, else on stderr.
my $left = "$object: left out, no contract and no telling name: nameless (1 of 7 functions)\n";
my $match = "$object: left out, no contract and no telling name: nameless (1 of 2 matching functions)\n";
($exit, $out, $err) = tool('verify', "$object", '--budget', 'quick', '--only', 'hang');
ok(index($out, $left) == 0 && $err eq '', 'a whole file: what was left out') or diag("$out$err");
($exit, $out, $err) = tool('verify', "$object:[gn]*", '--budget', 'quick');
ok($exit == 0 && index($out, $match) == 0 && $err eq '', 'a glob: what was left out')
    or diag("$out$err");
($exit, $out, $err) = tool('verify', "$object:[gn]*", '--budget', 'quick', '--quiet');
unlike($out . $err, qr/left out/, '--quiet is quiet about it');
for my $format ('jsonl', 'tap') {
    ($exit, $out, $err) =
        tool('verify', "$object:[gn]*", '--budget', 'quick', '--format', $format);
    ok($out !~ /left out/ && $err eq "fencepost: $match", "$format: it goes to stderr")
        or diag("$out$err");
}
($exit, $out, $err) = tool('verify', "$object:[gn]*", @copy);
unlike($out . $err, qr/left out/, 'with --proto nothing is');
($exit, $out) = tool('contract', "$object:[gn]*");
ok(index($out, "; $match") == 0, 'contract says it in a comment') or diag($out);

# Two runs and any number of workers give one output.
my @both = ("$object:long_memcpy", "$object:good_memcpy", "$object:df_memcpy", @copy);
my ($e1, $one) = tool('verify', @both, '--jobs', '1');
my ($e2, $two) = tool('verify', @both, '--jobs', '2');
is(no_seconds($two), no_seconds($one), '--jobs 1 and --jobs 2 agree');
my ($e3, $again) = tool('verify', @both, '--jobs', '2');
is(no_seconds($again), no_seconds($two), 'two runs agree');

# Contract files, also from the environment.
my $ini = write_file('k.ini', <<'INI');
[long_memcpy]
object = kernels.o
proto  = void *f(void dst[n], const void src[n], size_t n)
op     = copy
[good_memcpy]
object = kernels.o
proto  = void *f(void dst[n], const void src[n], size_t n)
op     = copy
returns = dst
INI
($exit, $out) = tool('verify', '--contract', $ini, '--budget', 'quick');
ok($exit == 1 && $out =~ /long_memcpy/ && $out =~ /good_memcpy/, 'all sections of a file')
    or diag($out);
($exit, $out) = tool('verify', '--contract', $ini, 'good_memcpy', '--budget', 'quick');
ok($exit == 0 && $out !~ /long_memcpy/, 'one section of a file') or diag($out);
{
    local $ENV{FENCEPOST_CONTRACTS} = ":$ini:";
    ($exit, $out) = tool('verify', 'good_memcpy', '--budget', 'quick');
    is($exit, 0, 'FENCEPOST_CONTRACTS') or diag($out);
}
{
    local $ENV{PWD} = scratch();
    mkdir scratch() . '/sub';
    write_file('fencepost.ini', read_file($ini));
    chdir scratch() . '/sub' or die;
    ($exit, $out) = tool('verify', '--budget', 'quick');
    ok($exit == 1 && $out =~ /good_memcpy/, 'the nearest fencepost.ini upward') or diag($out);
    chdir '/';
}

# list
($exit, $out) = tool('list', $object);
like($out, qr/^good_memcpy +\d+ +global +memcpy +-$/m, 'list FILE.o: size, scope and guess');
like($out, qr/^nameless +\d+ +global +- +-$/m, 'list FILE.o: no guess');
($exit, $out) = tool('list', "$object:n*less");
unlike($out, qr/good_memcpy/, 'list FILE.o:GLOB');
like($out, qr/^nameless /m, 'has what matches');
($exit, $out) = tool('list', "$object:good_memcpy", '--format', 'jsonl');
my ($function) = json_lines($out);
is_deeply([@$function{qw(type file symbol global guess cpu)}],
    ['function', $object, 'good_memcpy', JSON::PP::true, 'memcpy', ''], 'in JSON lines');
refused(qr/no function matches "x\*"/, 'list', "$object:x*");
($exit, $out) = tool('list', '--builtin');
ok($exit == 0 && $out =~ /^builtin:\S+ +(copy|move|set|zero) +\S/m, 'list --builtin');
my @builtin = grep { /^builtin:/ } split /\n/, $out;
($exit, $out) = tool('list', '--builtin', '--format', 'jsonl');
@lines = json_lines($out);
is(scalar(@lines), scalar(@builtin), 'list --format jsonl has them all');
ok(!(grep { ref ne 'HASH' || $_->{type} ne 'listed' || !$_->{proto} } @lines), 'as objects');

# contract: what it prints reads back and prints the same.
($exit, $out) = tool('contract', "$object:good_memcpy");
ok($exit == 0 && $out =~ /^; .*guessed/m && $out =~ /^proto *= /m, 'contract of a guess')
    or diag($out);
my $back = write_file('back.ini', $out);
($exit, my $again2, $err) = tool('contract', '--contract', $back);
my @keys = map { [grep { !/^;/ } split /\n/] } $out, $again2;
is_deeply($keys[1], $keys[0], 'it reads back') or diag($err);
($exit, $out) = tool('verify', '--contract', $back, '--budget', 'quick');
is($exit, 0, 'and verifies') or diag($out);

# A built-in's object is no file, so its contract names none.
($exit, $out) = tool('contract', 'builtin:copy_page_sse2');
ok($exit == 0 && $out !~ /^object/m && $out =~ /^; It is built in/m, 'contract of a built-in')
    or diag($out);
$back = write_file('built.ini', $out);
($exit, $out, $err) = tool('verify', '--contract', $back);
ok($exit == 2 && $err =~ /no object in the contract/, 'read back, it asks for an object')
    or diag("$out$err");

# doctor
($exit, $out) = tool('doctor');
is($exit, 0, 'doctor exits 0');
like($out, qr/^. $_ /m, "doctor says: $_")
    for 'cpu', 'features', 'not in CPU', 'cpus', 'system calls', 'fields', 'tools', 'not checked';
unlike($out, qr/^! (features|not in CPU)/m, 'doctor: other CPUs are no fault of this one');
($exit, $out) = tool('doctor', '--format', 'jsonl');
ok(!(grep { ref ne 'HASH' || $_->{type} ne 'doctor' } json_lines($out)), 'doctor in JSON lines');

# A full disk is no success.
if (-e '/dev/full') {
    system("$ENV{FENCEPOST} verify '$object:good_memcpy' --budget quick >/dev/full 2>/dev/null");
    is($? >> 8, 4, 'output that cannot be written exits 4');
}

# Ctrl-C: the summary of what is known, 128+N.
for my $signal ('INT', 'TERM') {
    my $number = $signal eq 'INT' ? 2 : 15;
    my $text = scratch() . "/$signal";
    my $pid = fork // die;
    if ($pid == 0) {
        $SIG{INT} = 'DEFAULT';
        open STDOUT, '>', $text or die;
        exec $ENV{FENCEPOST}, 'verify', "$object:good_memcpy", '--budget', '60s',
            '--format', 'jsonl' or die;
    }
    sleep 1;
    kill $signal, $pid;
    my $start = time;
    waitpid $pid, 0;
    is($? >> 8, 128 + $number, "SIG$signal exits " . (128 + $number));
    ok(time - $start < 10, "soon after SIG$signal");
    my @known = json_lines(read_file($text));
    ok(@known && $known[-1]{type} eq 'summary' && $known[-1]{exit} == 128 + $number,
        "SIG$signal still prints the summary");
}

# The same wish twice at once, as `timeout -s INT` and some shells send it.
{
    local $SIG{INT} = 'DEFAULT'; # ignored in background jobs, and inherited
    my $out = qx{timeout -s INT 1 '$ENV{FENCEPOST}' verify --builtin --budget deep 2>/dev/null};
    like($out, qr/^interrupted: \d+ pass/m, 'two signals at once still give the summary');
}

# What is never written is that, too, where reference code says what was wanted.
{
    my $lack = assemble('lack', <<'ASM');
        .text
        .globl  lack, whole
        .type   lack, @function
lack:   sub     $4, %rdx
whole:  mov     %rdx, %rcx
        rep     movsb
        ret
        .size   lack, . - lack
ASM
    my ($code, $out, $err) = tool('verify', "$lack:lack", '--budget', 'quick', '--op',
        'ref:whole', '--sizes', '4:-:4', '--proto',
        'void lack(void dst[n], const void src[n], size_t n)');
    ok($code == 1 && $out =~ /^\S+: wrong-bytes: 4 bytes never written/m,
        'not written and not in the reference: wrong-bytes') or diag("$code $out$err");
}

done_testing();
