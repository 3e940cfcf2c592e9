#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# replay_i386.t - what replay.t looks at, for 32-bit kernels: the C program of one case
# says what the tool says, and gdb shows 32-bit code

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# A copy that keeps every promise; edi, esi and ecx are loaded by what stands before.
my $copy = 'rep movsb';
my %load = (
    i386     => "push %esi\npush %edi\nmov 12(%esp), %edi\nmov 16(%esp), %esi\nmov 20(%esp), %ecx",
    regparm3 => "push %esi\npush %edi\nmov %eax, %edi\nmov %edx, %esi",
    regs     => '',
);
my %leave = (
    i386     => "pop %edi\npop %esi\nret",
    regparm3 => "pop %edi\npop %esi\nret",
    regs     => 'ret',
);
my %abi = (
    i386     => { '--abi', 'i386' },
    regparm3 => { '--abi', 'regparm3' },
    regs     => { '--abi', 'regs: edi=dst esi=src ecx=n', '--clobbers', 'ecx esi edi' },
);
my $proto = 'void k(void dst[n], const void src[n], size_t n)';

# Assemble `body` between what loads the arguments and what leaves; its subject words.
sub kernel
{
    my ($name, $abi, $body, %keys) = @_;
    my $text = join "\n", '.text', '.globl k', '.type k, @function', 'k:', $load{$abi}, $body,
        $leave{$abi}, '.size k, . - k', '';
    my $object = assemble($name, $text, '-m32');
    %keys = ('--op', 'copy', '--proto', $proto, %{ $abi{$abi} }, %keys);
    return ("$object:k", map { ($_, $keys{$_}) } sort keys %keys);
}

# Write the case out, compile and run that: exit status and output.
sub run_written
{
    my @words = @_;
    my $c = scratch() . '/case.c';
    unlink $c;
    my ($code, $out, $err) = tool(@words, '--emit-c', $c);
    my $said = qx{gcc -Wall -Wextra -Werror -o '$c.run' '$c' 2>&1};
    return (-1, "$out$err$said") if $?;
    my $ran = qx{timeout 20 '$c.run' 2>&1};
    return ($? >> 8, $ran);
}

my ($exit, $out) = tool('verify', kernel('plain', 'i386', $copy), '--budget', 'quick');
plan skip_all => 'no 32-bit code here' if $exit == 3 && $out =~ /^skip/m;

# The right ones, at sizes with and without a rest, stack arguments or none.
for my $abi (sort keys %abi) {
    for my $n (0, 77) {
        my @words = ('replay', kernel("clean_$abi", $abi, $copy), "v1 n=$n");
        my ($code, $said, $err) = tool(@words);
        is($code, 3, "$abi, n=$n: no finding") or diag("$said$err");
        my ($ran, $text) = run_written(@words);
        is($ran, 0, "$abi, n=$n: the C program is clean") or diag($text);
    }
}

my @preserve = ('--state', 'preserve');
my @faults = (
    # Slug, ABI, body in place of the copy, what the program says, further keys.
    ['wrong-bytes', 'i386', "shr \$2, %ecx\nrep movsl", qr/wrong bytes in the output/],
    ['stray-write', 'regparm3', "inc %ecx\n$copy", qr/outside the buffers: 1/],
    ['stray-read', 'i386', "$copy\nmovl (%esi), %eax", qr/read from src/],
    ['source-changed', 'i386', "jecxz 1f\nmovb \$1, (%esi)\n1: $copy", qr/wrote to src/],
    ['register-lost', 'i386', "inc %ebx\n$copy", qr/^\S+ ebx changed/],
    ['register-lost', 'regs', "$copy\nnot %edx", qr/^\S+ edx changed/],
    ['register-lost', 'i386', "$copy\nxor %eax, %eax\nmov %eax, %es", qr/a segment register/],
    ['stack-moved', 'i386', "$copy\npop %edi\npop %esi\nret \$4", qr/returned with esp off by 4/],
    ['stack-smashed', 'i386', "$copy\nincl 40(%esp)", qr/wrote to the caller's frame/],
    ['df-set', 'regparm3', "$copy\nstd", qr/direction flag/],
    ['flags-changed', 'i386', "$copy\npushf\norl \$0x40000, (%esp)\npopf", qr/changed AC/],
    ['mmx-dirty', 'i386', "$copy\npxor %mm0, %mm0", qr/no emms/],
    ['x87-changed', 'i386', "$copy\npush \$0x27f\nfldcw (%esp)\npop %eax", qr/x87 control word/],
    ['mxcsr-changed', 'i386', "$copy\npush \$0x9f80\nldmxcsr (%esp)\npop %eax", qr/MXCSR/],
    ['vector-changed', 'i386', "$copy\npxor %xmm1, %xmm1", qr/vector register 1/, @preserve],
    ['crash', 'i386', "$copy\nxor %eax, %eax\nmov (%eax), %eax", qr/Segmentation fault/],
    ['hang', 'i386', '1: jmp 1b', qr/did not return/],
    ['illegal-instruction', 'regs', "$copy\nud2", qr/Illegal instruction/],
    ['system-call', 'i386', "$copy\nmov \$20, %eax\nint \$0x80", qr/system call 20/],
    ['bad-return', 'i386', "$copy\nmov %edi, %eax", qr/returned [0-9a-f]+ in eax/,
        '--proto', "void *" . substr($proto, 5), '--returns', 'dst'],
    ['below-stack', 'i386', "$copy\nmov %eax, -0x100000(%esp)", qr/wrote to/],
    ['below-stack', 'regs', "$copy\nmovb \$0, -1(%esp)", qr/wrote below the stack/],
);
my $count = 0;
for (@faults) {
    my ($slug, $abi, $body, $like, @keys) = @$_;
    my @subject = kernel('bad_' . $count++, $abi, $body, @keys);
    my ($code, $text, $err) = tool('verify', @subject, '--budget', 'quick');
    my @words = replay_words($text);
    ok($code == 1 && @words && $text =~ /^\S+: \Q$slug\E: /m, "$abi: $slug is found")
        or diag("exit $code\n$text$err"), next;
    my ($ran, $said) = run_written(@words);
    ok($ran == 1 && $said =~ $like, "$abi: the C program shows $slug") or diag("exit $ran: $said");
}

# A stack protector finds its canary at gs:0x14.
{
    my $body = "mov %gs:0x14, %edx\n$copy\nxor %gs:0x14, %edx\nje 1f\nud2\n1:";
    my ($ran, $text) = run_written('replay', kernel('canary', 'i386', $body), 'v1 n=9');
    is($ran, 0, 'the C program has a page behind gs') or diag($text);
}

# gdb shows 32-bit code, its registers, and steps through it.
SKIP: {
    skip('no gdb', 4) if system('gdb --version >/dev/null 2>&1') != 0;
    my @words = ('replay', kernel('in_gdb', 'i386', "cmp \$4, %ecx\njb 1f\n1: inc %ecx\n$copy"),
        'v1 n=100', '--gdb');
    local $ENV{FENCEPOST_GDB_ARGS} = q(-batch -ex 'printf "n is %d\n", *(int *)($esp + 12)') .
        q( -ex 'x/i $pc' -ex 'stepi 7' -ex 'x/i $pc' -ex 'info registers ecx' -ex finish -ex c);
    my ($code, $text, $err) = tool(@words);
    skip('gdb may not trace here', 4) if $text =~ /ptrace|not permitted/;
    like($text, qr/^n is 100$/m, 'gdb: the case is loaded') or diag("$text$err");
    like($text, qr/^=> 0x[0-9a-f]+ <k>:\s+push +%esi$/m, 'gdb: at the entry') or diag("$text$err");
    like($text, qr/^=> 0x[0-9a-f]+ <k\+\d+>:\s+inc +%ecx\n(.*\n)*ecx +0x64 /m, 'gdb: it steps')
        or diag("$text$err");
    like($text, qr/: returned$/m, 'gdb: the case runs to its end') or diag("$text$err");
}

done_testing();
