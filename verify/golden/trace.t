#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# trace.t - one case instruction by instruction: text, JSON lines, how it ends

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# The same in both widths but for the registers.
sub source
{
    my ($dst, $src, $n, $sp, $load) = @_;
    return <<"END";
        .macro  function name
        .globl  \\name
        .type   \\name, \@function
\\name:
        $load
        .endm
        function bytes
        test    $n, $n
        jz      2f
1:      mov     (%$src), %al
        mov     %al, (%$dst)
        inc     %$src
        inc     %$dst
        dec     $n
        jnz     1b
2:      mov     %al, -4(%$sp)
        mov     word, %eax
        ret
        .size   bytes, . - bytes

        function weak
        movnti  %eax, (%$dst)
        sfence
        movb    \$0, -3(%$dst)
        clflush (%$dst)
        ret
        .size   weak, . - weak

        function outside
        movups  -8(%$src), %xmm0
        movups  %xmm0, (%$dst)
        ret
        .size   outside, . - outside

        function string
        mov     $n, %ecx
        rep movsb
        ret
        .size   string, . - string

        function faults
        mov     \$0x100000, %ecx
        mov     (%$src,$n), %al
        mov     (%$dst,%rcx), %al
        ret
        .size   faults, . - faults

        function clears_task
        clts
        ret
        .size   clears_task, . - clears_task

        function resumes
        nop
        rsm
        .size   resumes, . - resumes

        function asks
        mov     \$39, %eax
        int     \$0x80
        ret
        .size   asks, . - asks

        function spins
        jmp     spins
        .size   spins, . - spins

        function calls
        call    helper
        ret
        .size   calls, . - calls
        .type   helper, \@function
helper: ret
        .size   helper, . - helper

        .data
        .type   word, \@object
        .size   word, 4
word:   .long   0
        .section .note.GNU-stack, "", \@progbits
END
}

my %object;
my $wide = source('rdi', 'rsi', '%rdx', 'rsp', '');
$wide =~ s/mov     word, /mov     word(%rip), /;
$wide =~ s/mov     %rdx, %ecx/mov     %rdx, %rcx/;
$object{64} = assemble('traced', $wide, '-g');
my $narrow = source('edi', 'esi', '%edx', 'esp',
    'mov 4(%esp), %edi; mov 8(%esp), %esi; mov 12(%esp), %edx');
$narrow =~ s/%rcx/%ecx/g;
$object{32} = assemble('traced32', $narrow, '-g', '-m32');

my $width = 64;

sub trace
{
    my ($name, $case, @more) = @_;
    my @proto = ('--proto', "void $name(void dst[n], const void src[n], size_t n)", '--op',
        'copy', '--clobbers', 'rax rcx rdx rsi rdi xmm0');
    @proto[4, 5] = ('--clobbers', 'eax ecx edx esi edi xmm0') if $width == 32;
    return tool('trace', @proto, "$object{$width}:$name", $case, @more);
}

# ---- text ----

my ($exit, $out, $err) = trace('bytes', 'v1 n=3');
is($exit, 0, 'a trace gives no verdict') or diag($err);
like($out, qr/\A\S+:bytes v1 n=3\n/, 'first the kernel and the case');
like($out, qr/^ +0  bytes\+0x0 +test %rdx,%rdx +rdx=0x3  traced\.s:8$/m,
    'step, place, instruction, what it reads, source line')
    or diag($out);
like($out, qr/^ +1  bytes\+0x3 +je \S+ +not taken  traced/m, 'a branch that falls through');
like($out, qr/^ +2  bytes\+0x5 +mov \(%rsi\),%al +read src 1  rax=0x[0-9a-f]+  traced/m,
    'a read, and the register that changed');
like($out, qr/^ +3  bytes\+0x7 +mov %al,\(%rdi\) +write dst 1  traced/m, 'a write');
like($out, qr/^ +4  bytes\+0x9 +inc %rsi +rsi=src\+1 /m, 'pointers are told by what they point to');
like($out, qr/^ +8  bytes\+0x5 +mov \(%rsi\),%al +read src\+1 1 /m, 'the second round');
like($out, qr/mov %al,-0x4\(%rsp\) +write rsp-4 1 /, 'the stack, from the pointer at entry');
like($out, qr/mov \S+\(%rip\),%eax +read word\+0x0 4  rax=0x0 /, 'data of the kernel');
like($out, qr/^ +22  bytes\+0x\S+ +ret +read rsp 8 /m, 'the return address');
like($out, qr/^\S+:bytes: 23 instructions, returned$/m, 'the sums');
like($out, qr/^  dst +read 0, written 3 bytes$/m, 'what was written');
like($out, qr/^  src +read 3, written 0 bytes$/m, 'what was read');
like($out, qr/^  stack +read 8, written 1 bytes$/m, 'the stack');
like($out, qr/^  code\+data +read 4, written 0 bytes$/m, 'the image');
unlike($out, qr/order|replaced|outside|more rounds/, 'and nothing else');

# Rounds.
($exit, $out) = trace('bytes', 'v1 n=64');
like($out, qr/^ +\.\.\. 61 more rounds of 6 instructions$/m, 'rounds are left out') or diag($out);
my @rounds = $out =~ /^ +\d+  bytes\+0x5 +.*read (src\S*) 1/mg;
is("@rounds", 'src src+1 src+63', 'the first two and the last one are shown');
like($out, qr/^\S+: 389 instructions, returned$/m, 'all of them count');
($exit, $out) = trace('bytes', 'v1 n=64', '--all');
@rounds = $out =~ /^ +\d+  bytes\+0x5 +.*read (src\S*) 1/mg;
ok(@rounds == 64 && $out !~ /more rounds/, '--all shows every one');

($exit, $out) = trace('string', 'v1 n=4 repeat=1');
ok($out =~ /^ +2 .* ret +read rsp 8  traced\S*\n +3  string\+0x0 /m && $out =~ /written 8 bytes$/m,
    'a repeated call follows the first') or diag($out);

# Order, marks, accesses of many bytes.
($exit, $out) = trace('weak', 'v1 n=4');
like($out, qr/movnti %eax,\(%rdi\) +write dst 4 weak /, 'a weak store') or diag($out);
like($out, qr/sfence +fence /, 'a fence');
like($out, qr/movb \$0x0,-0x3\(%rdi\) +write dst-3 1 /, 'below the buffer');
like($out, qr/clflush \(%rdi\) .*flush /, 'a flush');
like($out, qr/^  order +weak stores 1, fences 1$/m, 'they are counted');
like($out, qr/^  dst +read \d+, written 5 bytes, \d+ of them outside$/m, 'bytes outside');
($exit, $out) = trace('outside', 'v1 n=16');
like($out, qr/movups -0x8\(%rsi\),%xmm0 +read src-8 16 /, 'half of it outside') or diag($out);
like($out, qr/^  src +read 16, written 0 bytes, 8 of them outside$/m, 'eight bytes of it');
($exit, $out) = trace('string', 'v1 n=5000');
like($out, qr/rep movsb +write dst 5000 by 1  read src 5000 by 1 /, 'a string as one access')
    or diag($out);
($exit, $out) = trace('calls', 'v1 n=8');
like($out, qr/^ +0  calls\+0x0 +call \S+ +write rsp-8 8  rsp=rsp-8 /m, 'a call pushes');
like($out, qr/^ +1  helper\+0x0 +ret +read rsp-8 8  rsp=rsp /m, 'and a function of its own');

# How it ends.
($exit, $out) = trace('faults', 'v1 n=8 place=src:end,dst:end');
ok($exit == 0 && $out =~ /^\S+: 2 instructions, ended by SIGSEGV, reading src\+8$/m,
    'a fault, and where it hit') or diag("$exit $out");
($exit, $out) = trace('clears_task', 'v1 n=8');
ok($exit == 0 && $out =~ /clts +left out /, 'a privileged instruction is left out') or diag($out);
like($out, qr/^  replaced +1, the first is clts at clears_task\+0x0$/m, 'which is said');
($exit, $out) = trace('resumes', 'v1 n=8');
ok($exit == 3 && $out =~ /^\S+: 1 instruction, the log ends before the kernel does: .* not recorded$/m,
    'what is not recorded is said, exit 3') or diag("$exit $out");
like($out, qr/rsm +not run /, 'and was not run');
($exit, $out) = trace('asks', 'v1 n=8');
ok($exit == 3 && $out =~ /before the kernel does: a system call$/m, 'a system call ends it')
    or diag("$exit $out");
($exit, $out) = trace('spins', 'v1 n=8');
ok($exit == 3 && $out =~ /before the kernel does: it is full$/m, 'a loop without end')
    or diag("$exit $out");
like($out, qr/^ +\.\.\. \d{5,} more rounds of 1 instruction$/m, 'which takes a line');

# ---- JSON lines ----

($exit, $out, $err) = trace('weak', 'v1 n=4', '--format', 'jsonl');
my @lines = json_lines($out);
is(scalar(grep { !defined $_ || $_->{schema} != 1 } @lines), 0, 'JSON lines, schema 1');
is(join(' ', map { $_->{type} } @lines), 'step step step step step trace', 'a step each');
is(join(' ', map { $_->{step} } @lines[0 .. 4]), '0 1 2 3 4', 'counted from 0');
is_deeply([map { $lines[0]{$_} } qw(symbol offset insn)], ['weak', 0, 'movnti %eax,(%rdi)'],
    'where and what');
ok($lines[0]{file} =~ /traced\.s$/ && $lines[0]{line} > 9, 'and in which line');
is_deeply([map { $lines[0]{accesses}[0]{$_} } qw(kind at bytes weak)],
    ['write', 'dst', 4, JSON::PP::true], 'an access') or diag($out);
like($lines[0]{accesses}[0]{address}, qr/^0x[0-9a-f]+$/, 'with its address');
ok((grep { $_->{register} eq 'rdi' && $_->{at} eq 'dst' } @{ $lines[0]{uses} }),
    'the registers that it reads');
is($lines[1]{order}, 'fence', 'a fence');
is_deeply([map { $lines[5]{$_} } qw(case steps end weak fences replaced)],
    ['v1 n=4', 5, 'returned', 1, 1, 0], 'the sums');
($exit, $out) = trace('bytes', 'v1 n=64', '--format', 'jsonl');
@lines = json_lines($out);
is(scalar(@lines), 390, 'no round is left out');
is_deeply([$lines[1]{taken}, $lines[7]{taken}], [JSON::PP::false, JSON::PP::true], 'branches');
is_deeply([map { @$_{qw(register at)} } @{ $lines[4]{sets} }], ['rsi', 'src+1'], 'what changed');
($exit, $out) = trace('resumes', 'v1 n=8', '--format', 'jsonl');
@lines = json_lines($out);
ok($exit == 3 && !$lines[-1]{complete}, 'a log that is not complete') or diag($out);

# ---- 32-bit code ----

$width = 32;
($exit, $out, $err) = trace('bytes', 'v1 n=3');
is($exit, 0, '32-bit code') or diag($err);
like($out, qr/^ +0  bytes\+0x0 +mov 0x4\(%esp\),%edi +read esp\+4 4  edi=dst  traced32/m,
    'arguments on the stack') or diag($out);
like($out, qr/mov \(%esi\),%al +read src 1  eax=0x/, 'registers by their names');
like($out, qr/^  stack +read 16, written 1 bytes$/m, 'the stack');
like($out, qr/^\S+:bytes: 26 instructions, returned$/m, 'the sums');
($exit, $out) = trace('string', 'v1 n=7');
like($out, qr/rep movsb +write dst 7 by 1  read src 7 by 1 /, 'strings');

# ---- what is refused ----

$width = 64;
($exit, $out, $err) = tool('trace', 'builtin:clear_page_clzero', 'v1');
ok($exit == 0 || ($exit == 3 && $err =~ /is skipped: it needs clzero/), 'a missing feature: exit 3')
    or diag("$exit $err");
my $case = write_file('a.case',
    "fencepost-case 1\nkernel builtin:clear_page_stosq\ncontract builtin\ncase v1\nexpect pass\n");
($exit, $out) = tool('trace', $case);
ok($exit == 0 && $out =~ /^  dst +read 0, written 4096 bytes$/m, 'a .case file') or diag($out);
done_testing();
