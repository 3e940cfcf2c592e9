#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# replay.t - a printed replay line shows the identical finding, in the tool, in a .case
# file, in gdb, and as a C program that needs only gcc

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my $tool = $ENV{FENCEPOST};

# Findings of a text output: everything but verdicts and the summary.
sub findings
{
    my ($text) = @_;
    return join '', grep { /^  (case|where|also|replay) / || /^\S+: [a-z-]+( \(\w+\))?: / }
        map { "$_\n" } split /\n/, $text;
}

# Compile and run what --emit-c wrote: exit status and output.
sub run_c
{
    my ($source) = @_;
    (my $program = $source) =~ s/\.c\z//;
    my $said = qx{gcc -Wall -Wextra -Werror -o '$program' '$source' 2>&1};
    return (-1, $said) if $?;
    my $out = qx{timeout 20 '$program' 2>&1};
    return ($? >> 8, $out);
}

# One specimen of each kind goes the whole way.
my @slugs = qw(stray-write wrong-bytes register-lost df-set mmx-dirty crash hang bad-return
    stack-moved stack-smashed source-changed system-call illegal-instruction flags-changed
    mxcsr-changed x87-changed vector-changed stray-read upper-dirty below-stack lossy-copy);
my @names = map { (specimen($_))[0] } @slugs;
is((grep { defined } @names), @slugs, 'there is a specimen for each slug');
for my $name ((grep { defined } @names), 'spill_below_kernel_stack') {
    my ($exit, $out) = tool('verify', specimen_words($name), '--budget', 'gate');
    my @words = replay_words($out);
    ok(@words > 0 && $words[0] eq 'replay', "$name: a replay line") or diag($out), next;
    my ($code, $again, $err) = tool(@words);
    ok($code == 1 && index(findings($out), findings($again)) >= 0 && findings($again) ne '',
        "$name: replay shows the identical finding")
        or diag("exit $code\n$out--- again\n$again$err");

    my $c = scratch() . "/$name.c";
    ($code, my $said, $err) = tool(@words, '--emit-c', $c);
    if ($err =~ /2\^31|op = ref/) {
        pass("$name: --emit-c says why not");
        next;
    }
    my ($ran, $text) = run_c($c);
    ok($ran == 1 && $text =~ /^\S+: .+\n/, "$name: the C program shows it")
        or diag("exit $ran: $text$err");
}

# A finding that needs an earlier call: the replay line carries that call.
{
    my ($exit, $out) = tool('verify', specimen_words('first_fill'));
    my @words = replay_words($out);
    ok((grep { $_ eq '--after' } @words) == 1, 'first_fill: the replay line has --after')
        or diag($out);
    my ($code, $again, $err) = tool(@words);
    ok($code == 1 && findings($again) ne '' && index(findings($out), findings($again)) >= 0,
        'and shows the identical finding') or diag("exit $code\n$out--- again\n$again$err");
    ($code, my $said, $err) = tool(@words, '--emit-c', scratch() . '/two.c');
    is($code, 2, '--after cannot be written out as one call') or diag("$said$err");
}

# Clean cases: a replay that says there is no finding, and a program that exits 0, but for
# op = ref, which no program of one file can show.
my (undef, $list) = tool('list', '--builtin', '--format', 'jsonl');
for my $kernel (grep { !$_->{missing} && !$_->{equal_to} } json_lines($list)) {
    my $name = $kernel->{kernel};
    my $case = $kernel->{proto} =~ /\[n\]|\bn\b/ ? 'v1 n=256' : 'v1';
    my $c = scratch() . '/clean.c';
    my $ref = $kernel->{op} eq 'ref';
    my ($code, $out, $err) = tool('replay', $name, $case, $ref ? () : ('--emit-c', $c));
    ok($code == 3 && $out =~ /^\Q$name: no finding in this case: $case\E$/m, "$name: no finding")
        or diag("$code $out$err");
    next if $ref;
    my ($ran, $text) = run_c($c);
    is($ran, 0, "$name: the C program is clean") or diag($text);
}

# .case files.
my $object = assemble('off', <<'ASM');
        .globl  off_memcpy
        .type   off_memcpy, @function
off_memcpy:
        mov     %rdi, %rax
        mov     %rdx, %rcx
        cmp     $100, %rdx
        jb      1f
        inc     %rcx
1:      rep movsb
        ret
        .size   off_memcpy, . - off_memcpy
ASM
sub case_file
{
    my ($name, $case, $expect, $contract) = @_;
    return write_file("$name.case", "fencepost-case 1\nkernel $object:off_memcpy\n" .
        ($contract ? "contract $contract\n" : '') . "case $case\nexpect $expect\n");
}
for (
    ['pass as expected',     'v1 n=50',  'pass',                       0],
    ['a finding after all',  'v1 n=100', 'pass',                       1],
    ['the finding',          'v1 n=100', 'stray-write',                1],
    ['the finding, region',  'v1 n=100', 'stray-write@dst-tail',       1],
    ['gone',                 'v1 n=50',  'stray-write',                3],
    ['another finding',      'v1 n=100', 'hang',                       1],
    ['not allowed',          'v1 n=50',  'pass',                       2, 'sizes = 100:-:1'],
    ['allowed',              'v1 n=50',  'pass',                       0, 'sizes = 0:99:1'],
) {
    my ($name, $case, $expect, $want, $contract) = @$_;
    my ($code, $out, $err) = tool('replay', case_file('c', $case, $expect, $contract));
    is($code, $want, ".case: $name") or diag("$out$err");
    like($err, qr/expects hang/, 'and says what was expected') if $expect eq 'hang';
    like($out, qr/: did not reproduce: v1 n=50$/, 'and says so') if $want == 3;
}

# Formats.
my ($code, $out) = tool('replay', "$object:off_memcpy", 'v1 n=100', '--format', 'jsonl');
my @lines = json_lines($out);
ok($code == 1 && $lines[0]{type} eq 'finding' && $lines[0]{command} eq 'replay', 'jsonl');
is($lines[-1]{exit}, 1, 'with a summary');
($code, $out) = tool('replay', "$object:off_memcpy", 'v1 n=50', '--format', 'jsonl');
ok($code == 3 && $out =~ /"no finding in this case"/, 'jsonl of a clean case') or diag($out);
($code, $out) = tool('replay', "$object:off_memcpy", 'v1 n=100', '--format', 'tap');
ok($code == 1 && $out =~ /^not ok 1 /m && $out =~ /^1\.\.1$/m, 'tap');

# gdb stops at the first instruction, with the arguments in place.
SKIP: {
    skip('no gdb', 2) if system('gdb --version >/dev/null 2>&1') != 0;
    local $ENV{FENCEPOST_GDB_ARGS} = q(-batch -ex 'printf "n is %d\n", $rdx' -ex 'x/i $pc');
    ($code, $out) = tool('replay', "$object:off_memcpy", 'v1 n=100', '--gdb');
    skip('gdb may not trace here', 2) if $out =~ /ptrace|not permitted/;
    like($out, qr/^n is 100$/m, 'gdb: the case is loaded') or diag($out);
    like($out, qr/^=> 0x[0-9a-f]+.*:\s+mov +%rdi,%rax$/m, 'gdb: at the entry') or diag($out);
}

done_testing();
