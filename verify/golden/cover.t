#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# cover.t - what the recorded cases ran: blocks, branches, jump tables, loops

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# A copy by a table of four entries and a loop, with a block that no case can reach.
sub source
{
    my ($is32) = @_;
    my ($di, $si, $n, $r) = $is32 ? qw(%edi %esi %edx %ecx) : qw(%rdi %rsi %rdx %rcx);
    my $load = $is32 ? 'mov 4(%esp), %eax; push %edi; push %esi; mov %eax, %edi
        mov 16(%esp), %esi; mov 20(%esp), %edx' : 'mov %rdi, %rax';
    my $done = $is32 ? 'pop %esi; pop %edi' : '';
    my $size = $is32 ? 4 : 8;
    my $far  = 0x22000;
    return <<"END";
        .macro  function name
        .globl  \\name
        .type   \\name, \@function
\\name:
        $load
        .endm
        function table
        cmp     \$3, $n
        ja      7f
        jmp     *entries(,$n,$size)
3:      mov     2($si), %cl
        mov     %cl, 2($di)
2:      mov     1($si), %cl
        mov     %cl, 1($di)
1:      mov     ($si), %cl
        mov     %cl, ($di)
0:      $done
        ret
7:      mov     $n, $r
        test    $n, $n
        jz      8f
        rep movsb
        $done
        ret
8:      nop
        nop
        ud2
        .size   table, . - table

        function loop
        mov     $n, $r
        test    $r, $r
        jz      6f
5:      movsb
        dec     $r
        jnz     5b
6:      $done
        ret
        .size   loop, . - loop

        function far
        mov     $n, $r
        cmp     \$$far, $n
        je      4f
        rep movsb
        $done
        ret
4:      rep movsb
        nop
        $done
        ret
        .size   far, . - far

        function masked
        mov     $n, $r
        and     \$1, $r
        jmp     *pair(,$r,$size)
30:     movb    ($si), %cl
        movb    %cl, ($di)
        inc     $si
        inc     $di
31:     mov     $n, $r
        shr     \$1, $r
        rep movsw
        $done
        ret
        .size   masked, . - masked

        function unbounded
        mov     $n, $r
        lea     20f, $n
        jmp     *$n
20:     rep movsb
        $done
        ret
        .size   unbounded, . - unbounded

        function gives_up
        mov     $n, $r
        rep movsb
        mov     ($si), %cl
        $done
        ret
        .size   gives_up, . - gives_up

        .section .rodata
        .balign 8
entries: .${\ ($is32 ? 'long' : 'quad')} 0b, 1b, 2b, 3b
pair:   .${\ ($is32 ? 'long' : 'quad')} 31b, 30b
other:  .${\ ($is32 ? 'long' : 'quad')} 8b, 8b, 8b
        .section .note.GNU-stack, "", \@progbits
END
}

my %object = (
    64 => assemble('covered',   source(0), '-g'),
    32 => assemble('covered32', source(1), '-g', '-m32'),
);
my $width = 64;

sub words
{
    my ($name) = @_;
    return ('--proto', "void *$name(void dst[n], const void src[n], size_t n)", '--op', 'copy',
        '--returns', 'dst', "$object{$width}:$name");
}

sub cover
{
    my ($name, @more) = @_;
    return tool('cover', words($name), @more);
}

for (64, 32) {
    $width = $_;
    my $r = $width == 32 ? '%edx' : '%rdx';

    # A table: all of it counts, and every entry was used.
    my ($exit, $out, $err) = cover('table');
    is($exit, 0, "$width: coverage gives no verdict") or diag($err);
    like($out, qr/^\S+:table: blocks 8 of 9, edges 10 of 11  \(\d+ cases recorded\)$/m,
        "$width: blocks and edges") or diag($out);
    like($out, qr/^  not run +table\+0x[0-9a-f]+ +nop  covered(32)?\.s:\d+  \(3 instructions\)$/m,
        "$width: the block that did not run");
    like($out, qr/^  never taken +table\+0x[0-9a-f]+ +je \S+  covered/m, "$width: the branch to it");
    like($out, qr/^  indirect +table\+0x[0-9a-f]+ +jmp \*\S+  \S+  went to 4 of 4 targets$/m,
        "$width: the table");

    # A mask bounds an index too, and what lies behind the table is none of it.
    ($exit, $out) = cover('masked');
    like($out, qr/^\S+:masked: blocks 3 of 3, /m, "$width: an index that was masked")
        or diag($out);
    like($out, qr/went to 2 of 2 targets$/m, "$width: two targets");

    # Sizes below the bound alone do not use all of it.
    ($exit, $out) = cover('table', '--sizes', '0:1');
    like($out, qr/^\S+:table: blocks 4 of 9, .*\n(.*\n)*.* went to 2 of 4 targets$/m,
        "$width: entries that were not used") or diag($out);
    like($out, qr/^  not run +table\S+ +\S+ 0x2\(/m, "$width: and where they lead");

    # A jump that no table bounds.
    ($exit, $out) = cover('unbounded');
    like($out, qr/^\S+:unbounded: blocks 2 of 2, .*, indirect: more may exist /m,
        "$width: more may exist") or diag($out);
    like($out, qr/^  indirect .*  went to 1 targets, more may exist$/m, "$width: where");

    # Rounds of a loop.
    ($exit, $out) = cover('loop');
    like($out, qr/^  loop +loop\+\S+ +jne \S+  \S+  gone back 0 times [1-9]\d*, once [1-9]\d*, more [1-9]\d*$/m,
        "$width: a loop, gone back never, once, more often") or diag($out);
    ($exit, $out) = cover('loop', '--sizes', '2,3');
    like($out, qr/gone back 0 times 0, once [1-9]\d*, more [1-9]\d*$/m, "$width: by two sizes")
        or diag($out);
    like($out, qr/^\S+:loop: blocks 3 of 3, edges 3 of 4 /m, "$width: no edge past the loop");

    # One size in half a million, which the code names.
    ($exit, $out) = cover('far');
    like($out, qr/^\S+:far: blocks 3 of 3, /m, "$width: a size from the code is found") or diag($out);
    unlike($out, qr/not run|never|always/, "$width: nothing is left");
}
$width = 64;

# ---- every instruction ----

my ($exit, $out, $err) = cover('table', '-v');
like($out, qr/^ +\d+  table\+0x0 +mov %rdi,%rax  covered\.s:\d+$/m, '-v: counts') or diag($out);
like($out, qr/^ +\d+  table\+0x7 +ja \S+  taken \d+  /m, 'and branches');
like($out, qr/^\n +-  table\+0x[0-9a-f]+ +nop  covered\.s:\d+$/m, 'blocks stand apart');
like($out, qr/^ +-  table\+0x[0-9a-f]+ +ud2 /m, 'what did not run');

# ---- JSON lines ----

($exit, $out) = cover('table', '--format', 'jsonl', '-v');
my @lines = json_lines($out);
is(scalar(grep { !defined $_ || $_->{schema} != 1 } @lines), 0, 'JSON lines, schema 1');
is_deeply([map { $lines[0]{$_} } qw(type blocks of edges edges_of more)],
    ['coverage', 8, 9, 10, 11, JSON::PP::false], 'counts') or diag($out);
my ($gap) = grep { $_->{type} eq 'uncovered' && $_->{what} eq 'not run' } @lines;
is_deeply([@$gap{qw(symbol insn instructions)}], ['table', 'nop', 3], 'a block');
ok($gap->{offset} > 0 && $gap->{line} > 0 && $gap->{file} =~ /covered\.s$/, 'its place');
is((grep { $_->{type} eq 'uncovered' } @lines)[0]{what}, 'never taken', 'a branch');
my ($indirect) = grep { $_->{type} eq 'indirect' } @lines;
is_deeply([@$indirect{qw(targets of)}], [4, 4], 'a table');
is((grep { $_->{type} eq 'instruction' } @lines)[0]{insn}, 'mov %rdi,%rax', 'instructions');
($exit, $out) = cover('loop', '--format', 'jsonl');
@lines = json_lines($out);
my ($loop) = grep { $_->{type} eq 'loop' } @lines;
ok($loop->{none} > 0 && $loop->{once} > 0 && $loop->{more} > 0, 'a loop') or diag($out);
is(scalar(grep { $_->{type} eq 'instruction' } @lines), 0, 'instructions only with -v');

# ---- verify ----

($exit, $out) = tool('verify', words('table'), '-v');
like($out, qr/^pass .*  blocks 8 of 9$/m, 'verify -v says how many blocks ran') or diag($out);
($exit, $out) = tool('verify', words('table'));
unlike($out, qr/blocks|coverage/, 'without it nothing');
($exit, $out) = tool('verify', words('unbounded'), '-v');
like($out, qr/^pass .*  blocks 2 of 2 \(indirect: more may exist\)$/m, 'more may exist');
($exit, $out) = tool('verify', words('table'), '--format', 'jsonl');
my ($kernel) = grep { $_->{type} eq 'kernel' } json_lines($out);
is_deeply($kernel->{coverage}, { blocks => 8, of => 9 }, 'the coverage object') or diag($out);
is($kernel->{checks}{coverage}, '8 of 9 blocks', 'the state of the check');
($exit, $out) = tool('verify', words('unbounded'), '--format', 'jsonl');
($kernel) = grep { $_->{type} eq 'kernel' } json_lines($out);
ok($kernel->{coverage}{more}, 'more may exist in JSON') or diag($out);

($exit, $out) = tool('verify', words('loop'), '--require', 'coverage');
is($exit, 0, '--require coverage: every block ran') or diag($out);
($exit, $out) = tool('verify', words('table'), '--require', 'coverage');
ok($exit == 3 && $out =~ /^inconclusive .*--require coverage: 8 of 9 blocks$/m,
    '--require coverage: one did not') or diag("$exit $out");
($exit, $out) = tool('verify', words('unbounded'), '--require', 'coverage');
ok($exit == 3 && $out =~ /^inconclusive .*--require coverage: 2 blocks, more behind indirect/m,
    '--require coverage: more may exist') or diag("$exit $out");

# ---- several kernels, and none ----

($exit, $out) = tool('cover', 'builtin:clear_page_stos*');
ok($exit == 0 && $out =~ /clear_page_stosq: .*(\n.*)*clear_page_stosl/, 'a glob') or diag($out);
($exit, $out) = tool('cover', 'builtin:clear_page_clzero');
ok($exit == 0 || ($exit == 3 && $out =~ /: skipped, it needs clzero/), 'a missing feature: exit 3')
    or diag("$exit $out");
($exit, $out) = tool('cover', '--budget', 'quick', '--format', 'jsonl', 'builtin:clear_page_clzero');
my ($line) = json_lines($out);
ok($exit == 0 || $line->{missing} eq 'clzero', 'in JSON, too') or diag($out);
my @twice = map { (cover('table', '--format', 'jsonl', '-v'))[1] } 1, 2;
is($twice[0], $twice[1], 'two equal runs say the same');
done_testing();
