#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# usage.t - help, and one sentence with the nearest name for whatever is mistyped

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my @commands = qw(verify replay survey trace cover contract list explain doctor);
my @later    = qw(lint fuzz minimize mutate bench order gate linux libc);

my ($exit, $out, $err) = tool('--help');
is($exit, 0, 'help exits 0');
like($out, qr/^  \Q$_\E  +\S/m, "help names $_") for @commands;
like($out, qr/not in this version:.*\b$_\b/, "help admits that $_ is missing") for @later;
is($err, '', 'help says nothing on stderr');

($exit, $out) = tool('--version');
like($out, qr/\Afencepost \d+\.\d+\.\d+\n\z/, 'version');
is($exit, 0, 'version exits 0');

for my $command (@commands) {
    ($exit, $out, $err) = tool($command, '--help');
    ok($exit == 0 && $err eq '' && $out =~ /\Ausage: fencepost $command /,
        "$command --help") or diag("$exit $err");
    like($out, qr/--help/, "$command --help lists options");
    unlike($out, qr/^.{89,}$/m, "$command --help is at most 88 columns wide");
}

# Every key of a contract is an option.
($exit, $out) = tool('verify', '--help');
like($out, qr/--$_\b/, "verify has --$_")
    for qw(proto op sizes align overlap returns abi clobbers state redzone order reads writes
    faults values cpu set stub cc cflags box cases allow like);
my ($ours) = $out =~ /^contract keys, for FILE:SYMBOL subjects:\n(.*?)\n\n/ms;
unlike($ours, qr/--(expect|twin)\b/, 'keys of the specimens stand apart from the users\'');
like($out, qr/^contract keys that only tests .*:\n  --expect --twin\n\z/m, 'in a list of their own');
like($out, qr/quick, gate, deep, or SECONDS \(2, 10s, 5m\)/, 'what --budget takes');
like($out, qr/^  --exhaustive BOX .*; box: of declared ones$/m, 'what --exhaustive takes');
like($out, qr/^  --resume FILE /m, '--resume');

refused(qr/\Qfencepost --help\E/);
refused(qr/unknown command verfy; did you mean verify\?/, 'verfy');
refused(qr/unknown option --foo/,                         '--foo');
refused(qr/^fencepost: \Q$_\E is not in this version$/, $_, 'x.o:f', '--any') for @later;

refused(qr/unknown option --bugdet; did you mean --budget\?/, 'verify', '--bugdet', 'gate');
refused(qr/unknown option --aling; did you mean --align\?/, 'verify', '--aling', 'dst:4');
refused(qr/--budget gat: .*did you mean gate/, 'verify', '--builtin', '--budget', 'gat');
refused(qr/--budget 0/,             'verify', '--builtin', '--budget', '0');
refused(qr/--budget/,               'verify', '--builtin', '--budget');
refused(qr/--seed .*number/,        'verify', '--builtin', '--seed', 'x');
refused(qr/--jobs/,                 'verify', '--builtin', '--jobs', '100000');
refused(qr/--jobs 0: expected 1 to/, 'verify', '--builtin', '--jobs', '0');
refused(qr/--fail-on/,              'verify', '--builtin', '--fail-on', 'info');
refused(qr/--skip-exit/,            'verify', '--builtin', '--skip-exit', '256');
refused(qr/--color/,                'verify', '--builtin', '--color', 'maybe');
refused(qr/--require .*did you mean order/, 'verify', '--builtin', '--require', 'ordr');
refused(qr/unknown slug stray-wrote; did you mean stray-write\?/,
    'verify', '--builtin', '--only', 'hang,stray-wrote');
refused(qr/unknown slug hnag; did you mean hang\?/, 'verify', '--builtin', '--skip', 'hnag');
refused(qr/unknown slug zz; "fencepost explain --list"/, 'verify', '--builtin', '--only', 'zz');
refused(qr/unknown slug zz; "fencepost explain --list"/, 'explain', 'zz');
refused(qr/unknown format .?xml/, 'verify', '--builtin', '--format', 'xml');
refused(qr/jsonl/,                'verify', '--builtin', '--format', 'jsonk');
refused(qr/--report .*FORMAT=FILE/, 'verify', '--builtin', '--report', 'x.json');
refused(qr/cannot write/, 'verify', '--builtin', '--report', 'jsonl=/nonexistent/x');
refused(qr/unknown format/, 'verify', '--builtin', '--report', 'xml=' . scratch() . '/x');
ok(!-e scratch() . '/x', 'a report in an unknown format makes no file');

refused(qr/unknown slug wrong-byte; did you mean wrong-bytes\?/, 'explain', 'wrong-byte');
refused(qr/unknown format .*jsonl/, 'doctor', '--format', 'jsonk');
refused(qr/doctor takes no subject/, 'doctor', 'x');
refused(qr/unknown format .*jsonl/, 'list', '--builtin', '--format', 'jsonk');

refused(qr/unknown format xml for trace/, 'trace', '--format', 'xml', 'builtin:x', 'v1');
refused(qr/jsonl/, 'trace', '--format', 'jsonk', 'builtin:x', 'v1');
refused(qr/unknown format xml for cover/, 'cover', '--format', 'xml', 'builtin:x');
refused(qr/--budget gat: .*did you mean gate/, 'cover', '--budget', 'gat', 'builtin:x');

# Subjects.
chdir scratch() or die;
refused(qr/nothing to \Q$$_[1]\E: .*--builtin; there is no fencepost\.ini here or above/, $$_[0])
    for ['verify', 'verify'], ['list', 'list'], ['cover', 'cover'], ['contract', 'show'];
refused(qr/"zz\*"; "fencepost list --builtin"/, 'verify', 'builtin:zz*');
refused(qr/copy_page/,                        'verify', 'builtin:copy_pages_sse2');
refused(qr/nonexistent\.o/,                   'verify', 'nonexistent.o:f');
refused(qr/nonexistent\.ini/,                 'verify', '--contract', 'nonexistent.ini');
refused(qr/./,                                'verify', 'builtin:nothing_like_*');
refused(qr/./,                                'verify', '');

my $object = assemble('named', <<'ASM');
        .globl  my_memcpy
        .type   my_memcpy, @function
my_memcpy:
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
        .size   my_memcpy, . - my_memcpy
ASM
refused(qr/my_memcpy/, 'verify', "$object:my_memcopy");
refused(qr/./,         'verify', "$object:no_*");
refused(qr/zero/, 'verify', "$object:my_memcpy", '--op', 'zeor');
my $ini = write_file('bad.ini', "[a]\nobject = named.o\nsymbol = my_memcpy\nsizse = 1:2:1\n");
refused(qr/bad\.ini:4: .*sizes/, 'verify', '--contract', $ini);
refused(qr/my_memcpy/,           'verify', '--contract',
    write_file('good.ini', "[my_memcpy]\nobject = named.o\n"), 'my_memcpi');

# Replay.
refused(qr/replay needs/, 'replay');
refused(qr/replay needs/, 'replay', "$object:my_memcpy");
refused(qr/"?q"?/,        'replay', "$object:my_memcpy", 'v1 q=1');
refused(qr/v1|version/,   'replay', "$object:my_memcpy", 'n=1');
refused(qr/does not allow this case/, 'replay', "$object:my_memcpy", 'v1 n=8 overlap=4');
refused(qr/one kernel/,   'replay', 'builtin:*', 'v1 n=8');
refused(qr/nonexistent\.case/, 'replay', 'nonexistent.case');

# Trace.
refused(qr/trace needs a subject and a case .*: fencepost trace SUBJECT/, 'trace');
refused(qr/trace needs/, 'trace', "$object:my_memcpy");
refused(qr/"?q"?/,       'trace', "$object:my_memcpy", 'v1 q=1');
refused(qr/does not allow this case/, 'trace', "$object:my_memcpy", 'v1 n=8 overlap=4');
refused(qr/trace runs one kernel/, 'trace', 'builtin:*', 'v1 n=8');
refused(qr/my_memcpy/,   'cover', "$object:my_memcopy");

done_testing();
