#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# comment.t - contracts in the comments of a source, and patterns for named functions

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# Copies n bytes, or `more` bytes more.
sub function
{
    my ($name, $more) = @_;
    return <<"ASM";
        .globl  $name
        .type   $name, \@function
$name:  mov     %rdx, %rcx
        add     \$$more, %rcx
        rep movsb
        ret
        .size   $name, . - $name
ASM
}

my $proto = 'proto = void quick(void dst[n], const void src[n], size_t n)';

# Verdicts by kernel: "a.S:quick pass".
sub verdicts
{
    my ($exit, $out, $err) = tool('verify', @_, '--budget', 'quick', '--format', 'jsonl');
    my $all = join ' ', map { ($_->{kernel} =~ s/.*\///r) . " $_->{verdict}" }
        grep { ref && $_->{type} eq 'kernel' } json_lines($out);
    return $all || "exit $exit $err";
}

chdir scratch() or die;

# Every way to write a comment.
my @styles = (
    ['a star a line', "/*\n * quick - copies\n *\n * fencepost:\n *   $proto\n *   op = copy\n */\n"],
    ['no stars',      "/* quick\n\n   fencepost:\n   $proto\n   op = copy */\n"],
    ['#',             "# fencepost:\n#   $proto\n# op = copy\n#include \"/dev/null\"\n"],
    ['//',            "// fencepost:\n//\t$proto\n//\n// op = copy\n//\n// Registers: few = good\n"],
    ['with a symbol', "/* fencepost: [quick]\n   proto = void f(void d[n], const void s[n], size_t n) */\n"],
    ['of the only function', "// fencepost:\n// proto = void f(void d[n], const void s[n], size_t n)\n"],
    ['with a carriage return', "// fencepost:\r\n// $proto\r\n"],
);
for (@styles) {
    my ($what, $comment) = @$_;
    write_file('style.S', $comment . function('quick', 0));
    is(verdicts('style.S'),       'style.S:quick pass', "comment $what");
    write_file('style.S', $comment . function('quick', 1));
    is(verdicts('style.S:quick'), 'style.S:quick fail', "comment $what, kernel named");
}

# What the keys say counts: without the comment nothing would be known.
write_file('none.S', "/* fencepost: see the manual */\n" . function('quick', 0));
refused(qr/none\.S:quick: no contract/, 'verify', 'none.S');

# Several functions in one comment.
write_file('two.S', <<"ASM" . function('one', 0) . function('two', 1) . function('three', 0));
/*
 * fencepost: [one]
 *   $proto
 *   redzone = 0
 *
 * [two]
 *   like = one
 */
ASM
is(verdicts('two.S'),     'two.S:one pass two.S:two fail', 'two functions, one comment');
is(verdicts('two.S:one'), 'two.S:one pass', 'one of them');
refused(qr/two\.S:three: no contract/, 'verify', 'two.S:three');

# A contract that names another function is not for this one.
write_file('other.S', "// fencepost:\n// $proto\n" . function('quick', 0) . function('slow', 0));
refused(qr/other\.S:slow: no contract/, 'verify', 'other.S:slow');

# Options and sections of contract files win.
write_file('own.S', "// fencepost:\n// $proto\n" . function('quick', 0));
is(verdicts('own.S:quick'), 'own.S:quick pass', 'the comment alone');
is(verdicts('own.S:quick', '--op', 'move'), 'own.S:quick fail', 'an option wins');
my $ini = write_file('own.ini', "[quick]\n$proto\nop = move\n");
is(verdicts('own.S:quick', '--contract', $ini), 'own.S:quick fail', 'a section wins');

# What is printed is the contract, and reads back.
my (undef, $printed) = tool('contract', 'own.S');
like($printed, qr/^; own\.S:quick: declared in own\.S\n\[quick\]\nproto +=/, 'contract prints it');
is(verdicts('--contract', write_file('printed.ini', $printed)), 'quick pass', 'and it reads back');

# Errors have the line of the source.
my @errors = (
    ["/*\n * fencepost:\n * $proto\n * opp = copy\n */\n",   qr/bad\.S:4: unknown key "opp"/],
    ["\n// fencepost:\n// $proto\n// copies bytes\n",        qr/bad\.S:4: neither/],
    ["// fencepost:\n// op = copy\n",                        qr/bad\.S:1: .*no prototype/],
    ["/* fencepost: */\n",                                   qr/bad\.S:1: no key in section/],
    ["// fencepost:\n// $proto\n// sizes = 1:\n",            qr/bad\.S:3: sizes/],
    ["// fencepost:\n// $proto\n// object = x.o\n",          qr/bad\.S:3: object: .*stands in/],
    ["// fencepost: [a]\n// $proto\n// fencepost: [a]\n// $proto\n", qr/bad\.S:3: a second section/],
);
for (@errors) {
    my ($comment, $like) = @$_;
    write_file('bad.S', $comment . function('quick', 0));
    refused($like, 'verify', 'bad.S:quick');
}

# The name may stand on the next line.
write_file('quick.S', "/* fencepost:\n *\n * [quick]\n * $proto\n */\n" . function('quick', 0));
is(verdicts('quick.S'), 'quick.S:quick pass', 'a head, then the name');

# A contract for a function that is not there is not passed over.
write_file('typo.S', "/* fencepost: [qick]\n * $proto\n */\n" . function('my_memcpy', 0) . function('my_bzero', 0));
(undef, my $said) = tool('verify', '--budget', 'quick', 'typo.S');
like($said, qr/^typo\.S: a comment has a contract for "qick", which is no function of it$/m, 'a typing error');

# A contract file of nothing but patterns serves the functions that are named.
system('gcc', '-c', 'two.S', '-o', 'two.o') == 0 or die;
$ini = write_file('patterns.ini', "[t*]\n$proto\n[*]\nredzone = 0\n");
is(verdicts('--contract', $ini, 'two.o:t*'), 'two.o:three pass two.o:two fail', 'patterns give contracts');
is(verdicts('--contract', $ini, 'two.o'), 'two.o:three pass two.o:two fail', 'to those they match');
refused(qr/two\.o:one: no contract/, 'verify', '--contract', $ini, 'two.o:one');
refused(qr/patterns\.ini: only patterns in it; name the functions/, 'verify', '--contract', $ini);
(undef, $printed) = tool('contract', '--contract', $ini, 'two.o:two');
like($printed, qr/declared in .*patterns\.ini\n.*redzone += 0\n/s, 'all that match');

# A pattern without a prototype changes what is guessed, which stays a guess.
write_file('my_memcpy.S', function('my_memcpy', 0) =~ s/mov /mov %rdi, %rax; mov /r);
$ini = write_file('guess.ini', "[my_*]\nreturns = dst+n\n");
is(verdicts('my_memcpy.S'), 'my_memcpy.S:my_memcpy pass', 'a guess');
is(verdicts('--contract', $ini, 'my_memcpy.S'), 'my_memcpy.S:my_memcpy fail', 'changed by a pattern');

done_testing();
