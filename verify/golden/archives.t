#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# archives.t - kernels out of ar archives, thin ones, .lo and .rlib files
#
# Which member is meant, how to say it, and what comes from other members.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Golden;
use Test::More;

my $dir = scratch();

# An object with one copy routine for each name; bad ones lose rbx.
sub copies
{
    my ($file, $bind, @names) = @_;
    my $text = '';
    for my $name (@names) {
        my $bad = $name =~ s/^!//;
        $text .= ".$bind $name\n" unless $bind eq 'local';
        $text .= ".type $name, \@function\n$name: mov %rdi, %rax; mov %rdx, %rcx; rep movsb\n"
            . ($bad ? "inc %rbx\n" : '') . "ret\n.size $name, . - $name\n";
    }
    (my $plain = $file) =~ s{.*/}{};
    my $object = assemble($plain =~ s/\.o$//r, $text);
    rename $object, "$dir/$file" or die "$file: $!\n" if $object ne "$dir/$file";
    return "$dir/$file";
}

# ar in the scratch folder.
sub ar
{
    my @words = @_;
    system("cd '$dir' && ar @words") == 0 or die "ar @words\n";
    return;
}

# Kernels that a request names, in the tool's order.
sub listed
{
    my ($exit, $out, $err) = tool('list', '--format', 'jsonl', @_);
    return join ' ', map { "$_->{file}:$_->{symbol}" =~ s/\Q$dir\E\///r } json_lines($out);
}

# The lines of verdicts, without figures.
sub verdicts
{
    my ($exit, $out, $err) = tool('verify', '--budget', 'quick', @_);
    diag($err) if $exit > 1;
    return join ' ', $exit, map { /^(pass|fail|skip)\s+(\S+)/ ? "$1:" . ($2 =~ s/\Q$dir\E\///r) : () }
        split /\n/, $out;
}

mkdir "$dir/$_" for qw(one two two/deep .libs);
copies('a.o',             'globl', 'my_memcpy', 'only_a_memcpy');
copies('b.o',             'weak',  '!my_memcpy');
copies('long_name_of_a_member_that_needs_the_table.o', 'globl', 'long_memcpy');
copies('one/same.o',      'globl', 'first_memcpy', 'both_memcpy');
copies('two/same.o',      'globl', '!both_memcpy', 'second_memcpy');
copies('two/deep/loc.o',  'local', 'hidden_memcpy');
copies('loc2.o',          'local', '!hidden_memcpy');
my @objects = qw(a.o b.o long_name_of_a_member_that_needs_the_table.o one/same.o two/same.o
    two/deep/loc.o loc2.o);
ar('qcs full.a', @objects);
ar('qcS bare.a', @objects);
ar('rcsT thin.a', @objects);

# ---- one function

is(verdicts("$dir/full.a:only_a_memcpy"), '0 pass:full.a:only_a_memcpy', 'FILE.a:SYMBOL');
is(verdicts("$dir/full.a:long_memcpy"), '0 pass:full.a:long_memcpy', 'a member with a long name');
is(verdicts("$dir/full.a:my_memcpy"), '0 pass:full.a:my_memcpy', 'the strong one of two');
is(verdicts("$dir/full.a(b.o):my_memcpy"), '1 fail:full.a(b.o):my_memcpy', 'the weak one by its member');
is(verdicts("$dir/bare.a:my_memcpy"), '0 pass:bare.a:my_memcpy', 'no symbol table is needed');
is(verdicts("$dir/full.a(same.o#2):both_memcpy"), '1 fail:full.a(same.o#2):both_memcpy',
    'the second of equal members');
is(verdicts("$dir/full.a(same.o):second_memcpy"), '0 pass:full.a(same.o):second_memcpy',
    'equal members, but one has it');
is(verdicts("$dir/thin.a(two/same.o):both_memcpy"), '1 fail:thin.a(two/same.o):both_memcpy',
    'a thin archive names paths');
is(verdicts("$dir/thin.a:only_a_memcpy"), '0 pass:thin.a:only_a_memcpy', 'thin: FILE.a:SYMBOL');
refused(qr/full\.a: 2 members have a function "both_memcpy"; say \S*full\.a\(same\.o#1\):both_memcpy, \S*full\.a\(same\.o#2\):both_memcpy/,
    'verify', "$dir/full.a:both_memcpy");
refused(qr/full\.a\(same\.o\): 2 members have a function "both_memcpy"/, 'verify', "$dir/full.a(same.o):both_memcpy");
refused(qr/full\.a: no symbol "my_memcyp"; nearest is "my_memcpy"/, 'verify', '--as', 'memcpy', "$dir/full.a:my_memcyp");
refused(qr/full\.a: no member "aa\.o"; nearest is "a\.o"/, 'verify', "$dir/full.a(aa.o):my_memcpy");

# ---- globs

is(listed("$dir/full.a:[fhm]*_memcpy"),
    'full.a:first_memcpy full.a(loc.o):hidden_memcpy full.a(loc2.o):hidden_memcpy full.a:my_memcpy full.a(b.o):my_memcpy',
    'a glob takes each function of each member');
is(listed("$dir/thin.a:hid*"), 'thin.a(two/deep/loc.o):hidden_memcpy thin.a(loc2.o):hidden_memcpy',
    'local ones of a thin archive');
is(listed("$dir/full.a(same.o):*"),
    'full.a(same.o#1):both_memcpy full.a(same.o#2):both_memcpy full.a(same.o):first_memcpy full.a(same.o):second_memcpy',
    'a glob over equal members');
is(listed("$dir/full.a(a.o)"), 'full.a(a.o):my_memcpy full.a(a.o):only_a_memcpy', 'a whole member');
my ($exit, $out, $err) = tool('list', "$dir/full.a");
is(scalar(() = $out =~ / memcpy  /g), 10, 'list FILE.a names each function of each member');
like($out, qr/^\(same\.o#2\):both_memcpy +\d+  global/m, 'with its member where it must');

# ---- replays and contracts

($exit, $out, $err) = tool('verify', '--budget', 'quick', "$dir/full.a(same.o#2):both_memcpy");
my @words = replay_words($out);
($exit, $out, $err) = tool(@words);
ok($exit == 1 && $out =~ /register-lost/, 'the replay of a member works') or diag("@words\n$out$err");
my $ini = write_file('a.ini', <<'INI');
[strong]
object = full.a
symbol = my_memcpy
proto  = void *my_memcpy(void dst[n], const void src[n], size_t n)
op     = copy
[weak]
object = full.a(b.o)
symbol = my_memcpy
proto  = void *my_memcpy(void dst[n], const void src[n], size_t n)
op     = ref:first_memcpy
[equal]
object = full.a(same.o#2)
symbol = both_memcpy
proto  = void *both_memcpy(void dst[n], const void src[n], size_t n)
op     = ref:thin.a(one/same.o):both_memcpy
[gone]
object = full.a(c.o)
symbol = f
proto  = void f(void dst[n], size_t n)
op     = zero
INI
is(verdicts('--contract', $ini, 'strong', 'weak', 'equal'), '1 pass:strong fail:weak fail:equal',
    'object = FILE.a and FILE.a(member.o), references in other members and archives');
refused(qr/full\.a: no member "c\.o"/, 'verify', '--contract', $ini, 'gone');

# ---- what comes from other members

assemble('entry', ".globl far_memcpy\nfar_memcpy: jmp inner\n.globl far2_memcpy\nfar2_memcpy: jmp nowhere\n"
    . ".globl tls_memcpy\n.type tls_memcpy, \@function\ntls_memcpy: mov %fs:t\@tpoff, %eax; ret\n"
    . ".size tls_memcpy, . - tls_memcpy\n.section .tbss, \"awT\", \@nobits\nt: .skip 4\n");
copies('inner.o', 'globl', '!inner');
ar('rcs far.a entry.o inner.o');
is(verdicts("$dir/far.a:far_memcpy"), '1 fail:far.a:far_memcpy', 'a member jumps to another');
is(verdicts('--stub', 'inner:1', "$dir/far.a:far_memcpy"), '1 fail:far.a:far_memcpy', 'unless the contract has it');
($exit, $out) = tool('verify', '--budget', 'quick', '--stub', 'inner:1', "$dir/far.a:far_memcpy");
like($out, qr/wrong-bytes/, 'which shows');
($exit, $out) = tool('verify', '--budget', 'quick', "$dir/far.a:far2_memcpy");
like($out, qr/undefined symbol nowhere/, 'what no member has is a named trap');
refused(qr/thread-local/, 'verify', "$dir/far.a:tls_memcpy");
($exit, $out) = tool('verify', '--budget', 'quick', "$dir/far.a:*_memcpy");
like($out, qr/^\S*far\.a:tls_memcpy: left out: [^\n]*thread-local/, 'in a glob it is left out with a note');
like($out, qr/^fail +\S*far\.a:far_memcpy/m, 'and the others are run');
my %code;
for my $kind ('!inner', 'inner') {
    copies('inner.o', 'globl', $kind);
    ar('rcs far.a inner.o');
    ($exit, $out) = tool('verify', '--budget', 'quick', '--format', 'jsonl', "$dir/far.a:far_memcpy");
    my ($object) = grep { $_->{type} eq 'kernel' } json_lines($out);
    $code{ $object->{code} } = 1;
}
is(scalar(keys %code), 2, 'the code of other members counts');

# A line of a table looks at the member alone, however much it reaches.
assemble('inner', ".globl inner\ninner: pxor %xmm0, %xmm0; ret\n");
ar('rcs far.a inner.o');
($exit, $out) = tool('list', '--format', 'jsonl', "$dir/far.a");
my %cpu = map { $_->{symbol} => $_->{cpu} } json_lines($out);
is("$cpu{inner} $cpu{far_memcpy}", 'sse2 ', 'list says what each member needs');

# gdb gets the member as a file.
SKIP: {
    skip('no gdb', 1) if system('gdb --version >/dev/null 2>&1') != 0;
    local $ENV{FENCEPOST_GDB_ARGS} = q(-batch -ex 'x/i $pc');
    ($exit, $out) = tool('replay', "$dir/full.a(same.o#2):second_memcpy", 'v1 n=9', '--gdb');
    skip('gdb may not trace here', 1) if $out =~ /ptrace|not permitted/;
    like($out, qr/^=> 0x[0-9a-f]+ <second_memcpy>:/m, 'gdb knows the names of a member') or diag($out);
}

# ---- members and files that are something else

write_file('lib.rmeta', "rust\0\0\0\x09rmeta");
write_file('bitcode.o', "BC\xc0\xde" . "\0" x 60);
ar('qcS lib.rlib lib.rmeta bitcode.o a.o');
is(verdicts("$dir/lib.rlib"), '0 pass:lib.rlib:my_memcpy pass:lib.rlib:only_a_memcpy', 'an .rlib is an archive');
refused(qr/lib\.rlib\(bitcode\.o\): LLVM bitcode/, 'verify', "$dir/lib.rlib(bitcode.o):my_memcpy");
refused(qr/lib\.rlib\(lib\.rmeta\): not an object file/, 'verify', "$dir/lib.rlib(lib.rmeta):my_memcpy");
ar('qcS meta.rlib lib.rmeta');
refused(qr/meta\.rlib: [^\n]*lib\.rmeta: not an object file/, 'verify', "$dir/meta.rlib:my_memcpy");
unlink "$dir/two/same.o";
is(verdicts("$dir/thin.a:only_a_memcpy"), '0 pass:thin.a:only_a_memcpy', 'thin: a file that is gone is passed over');
refused(qr{thin\.a\(two/same\.o\): [^\n]*No such file}, 'verify', "$dir/thin.a(two/same.o):both_memcpy");
refused(qr{thin\.a: [^\n]*same\.o: No such file}, 'verify', "$dir/thin.a:*memcpy");
refused(qr{thin\.a: no symbol "second_memcpy" in what is there; [^\n]*No such file}, 'verify', "$dir/thin.a:second_memcpy");

rename "$dir/a.o", "$dir/.libs/a.o";
my $lo = "# a.lo - a libtool object file\n# Generated by libtool\npic_object='.libs/a.o'\nnon_pic_object='a.o'\n";
write_file('a.lo', $lo);
is(verdicts("$dir/a.lo:my_memcpy"), '0 pass:a.lo:my_memcpy', 'a libtool object');
write_file('n.lo', $lo =~ s/'\.libs\/a\.o'/none/r =~ s/'a\.o'/'.libs\/a.o'/r);
is(verdicts("$dir/n.lo:my_memcpy"), '0 pass:n.lo:my_memcpy', 'a libtool object that is not position-independent');
write_file('none.lo', $lo =~ s/'\.libs\/a\.o'/'none'/r =~ s/'a\.o'/none/r);
refused(qr/none\.lo: a libtool object that names no object/, 'verify', "$dir/none.lo:my_memcpy");
system("cp '$dir/.libs/a.o' '$dir/a.os'");
is(verdicts("$dir/a.os:my_memcpy"), '0 pass:a.os:my_memcpy', 'an .os is an object');

# ---- archives of other makes

sub member
{
    my ($name, $bytes) = @_;
    return sprintf('%-16s%-12d%-6d%-6d%-8o%-10d', $name, 0, 0, 0, 0644, length $bytes) . "`\n$bytes"
        . (length($bytes) % 2 ? "\n" : '');
}
my $bytes = read_file("$dir/a.os");
write_file('bsd.a', "!<arch>\n" . member('#1/20', "__.SYMDEF SORTED\0\0\0\0" . "\0" x 8)
        . member('#1/12', "bsd name.o\0\0$bytes") . member('short.o', $bytes));
is(listed("$dir/bsd.a:my*"), "bsd.a(bsd name.o):my_memcpy bsd.a(short.o):my_memcpy", 'BSD names');
write_file('cut.a', "!<arch>\n" . substr(member('a.o/', $bytes), 0, -20));
refused(qr/cut\.a: damaged: a member that is cut short at offset 8/, 'verify', "$dir/cut.a:my_memcpy");
write_file('odd.a', "!<arch>\nnonsense");
refused(qr/odd\.a: damaged: half a member header/, 'verify', "$dir/odd.a:my_memcpy");
write_file('none.a', "!<arch>\n");
refused(qr/none\.a: an archive without members/, 'verify', "$dir/none.a:my_memcpy");

done_testing();
