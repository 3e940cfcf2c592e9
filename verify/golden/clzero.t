#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# clzero.t - the loop around clzero, with stores in its place where the CPU has none
#
# What they do is what APM vol. 3 says of the instruction: the 64 bytes of the line that
# the address is in become zero, wherever in it that is.  The hardware's own way of doing
# it is not looked at.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

# Folder, flags, address, a register that no caller expects back, kernel.
my @rows = (
    [ 'x86_64', '',     'rax', 'rdx', 'builtin:clear_page_clzero' ],
    [ 'i386',   '-m32', 'eax', 'edx', 'builtin:clear_page_clzero.i386' ],
);

for (@rows) {
    my ($folder, $flags, $address, $line, $kernel) = @$_;
    my $source = write_file("$folder.S", <<"ASM");
        .macro  clzero
        mov     %$address, %$line
        and     \$-64, %$line
        .irp    at, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60
        movl    \$0, \\at(%$line)
        .endr
        .endm
#include "src/kernels/$folder/clear_page_clzero.S"
ASM
    my ($exit, $out, $err) = tool('contract', $kernel);
    is($exit, 0, "$folder: it has a contract") or diag($err);
    $out =~ s/^cpu .*\n//m;
    my $ini = write_file("$folder.ini",
        "$out\nobject = $source\ncflags = $flags -I$ENV{SRCDIR} -I$ENV{SRCDIR}/src\n");

    ($exit, $out, $err) = tool('verify', '--contract', $ini);
    is($exit, 0, "$folder: every line of the page, no other") or diag("$out$err");

    # The promise of a whole line is needed.
    ($exit, $out, $err) = tool('verify', '--contract', $ini, '--align', 'dst:32');
    is($exit, 1, "$folder: half a line before dst is cleared otherwise") or diag("$out$err");
    like($out, qr/stray-write: 32 bytes before the start of dst/, 'as it says');
    like($out, qr/^ +promise +align = dst:64 would allow/m,       'with the promise');
}
done_testing();
