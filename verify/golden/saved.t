#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# saved.t - `cases = DIR`: saved cases run before the plan and are held to what they expect

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# One byte too many at n = 20011, which no constant of the code gives away.
assemble('saved', '        .equ RARE, ' . (20011 * 0x5bd1e995 & 0xffffffff) . <<'ASM');

        .globl  rare
        .type   rare, @function
rare:   imul    $0x5bd1e995, %edx, %r8d
        xor     %ecx, %ecx
        cmp     $RARE, %r8d
        sete    %cl
        add     %rdx, %rcx
        rep movsb
        ret
        .size   rare, . - rare
ASM
my $proto = 'proto = void f(void dst[n], const void src[n], size_t n)';
mkdir scratch() . "/$_" or die for 'saved', 'other';

# [rare] with these keys, its text and its object of JSON, in another folder.
sub verify
{
    my ($keys, @options) = @_;
    my $ini = write_file('saved.ini', "[rare]\nobject = saved.o\n$proto\n$keys\n");
    my @words = ('verify', '--contract', $ini, '--budget', 'quick', @options);
    my ($exit, $out, $err) = tool(@words);
    my (undef, $json) = tool(@words, '--format', 'jsonl');
    my ($kernel) = grep { ref && $_->{type} eq 'kernel' } json_lines($json);
    return ($out . $err, $kernel);
}

sub save
{
    my ($name, $kernel, $case, $expect) = @_;
    write_file("saved/$name.case", "fencepost-case 1\nkernel $kernel\ncase $case\nexpect $expect\n");
    return;
}

my ($text, $kernel) = verify('');
is($kernel->{verdict}, 'pass', 'the plan does not meet the fault');
my $planned = $kernel->{cases};

save('a', 'rare', 'v1 n=100', 'pass');
save('b', 'memcpy', 'v1 n=20011', 'pass');
($text, $kernel) = verify('cases = saved');
ok($kernel->{verdict} eq 'pass' && $kernel->{saved} == 1 && $kernel->{cases} == $planned + 1,
    'a saved case that passes is counted, one of another kernel is not') or diag($text);
like($text, qr/^pass .*  1 saved/m, 'in the line of its kernel');

save('c', 'rare', 'v1 n=20011', 'pass');
($text, $kernel) = verify('cases = saved');
ok($kernel->{verdict} eq 'fail' && $text =~ /^rare: stray-write: .*\n  case    v1 n=20011\n/m,
    'one that fails is a finding') or diag($text);
my @again = replay_words($text);
is((tool(@again))[0], 1, 'which can be replayed');
($text, $kernel) = verify("cases = saved\nallow = stray-write, stray-read");
is($kernel->{verdict}, 'pass', 'or waived');
($text, $kernel) = verify('cases = saved', '--skip', 'stray-write,stray-read');
is($kernel->{verdict}, 'pass', 'or left out');

save('c', 'rare', 'v1 n=20011', 'stray-write@dst-tail');
($text, $kernel) = verify('cases = saved');
ok($kernel->{verdict} eq 'pass' && $kernel->{expected} == 1, 'an expected finding is none')
    or diag($text);
like($text, qr/2 saved \(1 with the finding expected\)/, 'and is said');
save('c', 'rare', 'v1 n=20011', 'stray-write@dst-head');
($text, $kernel) = verify('cases = saved');
is($kernel->{verdict}, 'fail', 'at another place it is one');
save('c', 'rare', 'v1 n=20010', 'stray-write');
($text, $kernel) = verify('cases = saved');
ok($kernel->{verdict} eq 'pass'
    && $text =~ /note    warning: \S*c\.case: the stray-write it expects did not occur/,
    'an expected finding that is gone is said') or diag($text);
($text, $kernel) = verify("cases = saved\nsizes = 0:1000");
like($text, qr/c\.case was left out: the contract does not allow n=20010/, 'a case outside of the contract');

# Several ways to name the kernel.
for ('saved.o:rare', scratch() . '/saved.o:rare') {
    save('c', $_, 'v1 n=20011', 'pass');
    my @words = /^saved/ ? () : ($_, '--proto', $proto =~ s/proto = //r);
    my (undef, $out) = @words
        ? tool('verify', @words, '--budget', 'quick', '--cases', scratch() . '/saved')
        : verify('cases = saved');
    $out = ref $out ? $out->{verdict} : $out;
    like($out, qr/^fail/m, "saved for $_");
}

# An option counts from here, a contract from its own place.
chdir scratch() . '/other' or die;
($text, $kernel) = verify('cases = nowhere', '--cases', '../saved');
is($kernel->{saved}, 1, '--cases counts from the current folder');
chdir scratch() or die;

# What cannot be read is refused.
my $ini = write_file('saved.ini', "[rare]\nobject = saved.o\n$proto\ncases = none\n");
refused(qr/saved\.ini:4: cases: .*none: No such file/, 'verify', '--contract', $ini);
save('d', 'another', 'v1 n=20010', 'stray-rite');
$ini = write_file('saved.ini', "[rare]\nobject = saved.o\n$proto\ncases = saved\n");
refused(qr/d\.case:4: unknown slug "stray-rite"/, 'verify', '--contract', $ini);

chdir '/';
done_testing();
