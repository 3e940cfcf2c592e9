/* SPDX-License-Identifier: MIT */
/*
 * base_test.c - src/base: arena, str, nearest, opt, numbers, rng, err
 */
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/opt.h"
#include "base/rng.h"
#include "base/status.h"
#include "base/str.h"
#include "verify/self/tap.h"

static bool all_zero(const unsigned char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (bytes[i]) {
            return false;
        }
    }
    return true;
}

/* ---- arena */

/*
 * Objects of many sizes, below and above a chunk: each zeroed, aligned, and still as
 * it was filled after all the others were made (so none overlap).
 */
static void test_arena_objects(void)
{
    static const size_t sizes[] = { 0,     1,     15,    16,     17,    64,
                                    65519, 65520, 65536, 200000, 65537, 40 };
    unsigned char *object[FNP_ARRAY_LEN(sizes)][8];
    struct fnp_arena arena = { 0 };
    bool zero = true, aligned = true, kept = true;

    for (size_t k = 0; k < 8; k++) {
        for (size_t i = 0; i < FNP_ARRAY_LEN(sizes); i++) {
            unsigned char *p = fnp_arena_alloc(&arena, sizes[i]);

            zero = zero && all_zero(p, sizes[i]);
            aligned = aligned && (uintptr_t)p % 16 == 0;
            memset(p, (int)(1 + i * 8 + k), sizes[i]);
            object[i][k] = p;
        }
    }
    for (size_t k = 0; k < 8; k++) {
        for (size_t i = 0; i < FNP_ARRAY_LEN(sizes); i++) {
            for (size_t at = 0; at < sizes[i]; at++) {
                kept = kept && object[i][k][at] == (unsigned char)(1 + i * 8 + k);
            }
        }
    }
    tap_ok(zero, "arena: objects are zeroed");
    tap_ok(aligned, "arena: objects are aligned to 16 bytes");
    tap_ok(kept, "arena: objects do not overlap");
    tap_ok(object[0][0] != object[0][1], "arena: empty objects have their own address");

    fnp_arena_release(&arena);
    tap_ok(!arena.chunks, "arena: empty after release");
    tap_ok(all_zero(fnp_arena_alloc(&arena, 4096), 4096),
           "arena: usable after release");
    fnp_arena_release(&arena);
    fnp_arena_release(&arena);
    tap_ok(!arena.chunks, "arena: released twice");
}

static void test_arena_texts(void)
{
    struct fnp_arena arena = { 0 };
    char *big, *full;

    tap_ok(strcmp(fnp_arena_text(&arena, "abcdef", 3), "abc") == 0,
           "arena: text is cut at len");
    full = fnp_arena_text(&arena, "0123456789abcdef", 16);
    memset(fnp_arena_alloc(&arena, 16), 'x', 16);
    tap_ok(strlen(full) == 16, "arena: the NUL of a text is its own");
    tap_ok(strcmp(fnp_arena_text(&arena, NULL, 0), "") == 0, "arena: empty text");
    tap_ok(strcmp(fnp_arena_printf(&arena, "%d-%s", 7, "x"), "7-x") == 0,
           "arena: printf");
    for (int width = 254; width <= 257; width++) {
        char *text = fnp_arena_printf(&arena, "%*d", width, 1);

        tap_ok(strlen(text) == (size_t)width && text[width - 1] == '1',
               "arena: printf of %d bytes", width);
    }
    big = fnp_arena_printf(&arena, "%70000d", 1);
    tap_ok(strlen(big) == 70000 && big[69999] == '1', "arena: printf beyond a chunk");
    fnp_arena_release(&arena);
}

/* Does this end the process with exit 4 and a sentence on stderr? */
static bool dies(void (*call)(void))
{
    char text[256] = "";
    int out[2];
    ssize_t len;
    int status;
    pid_t pid;

    if (pipe(out) != 0) {
        return false;
    }
    pid = fork();
    if (pid == 0) {
        dup2(out[1], STDERR_FILENO);
        close(out[0]);
        close(out[1]);
        call();
        _exit(0);
    }
    close(out[1]);
    len = read(out[0], text, sizeof(text) - 1);
    close(out[0]);
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == FNP_FAILED && len > 12 &&
           memcmp(text, "fencepost: ", 11) == 0 && strchr(text, '\n') == text + len - 1;
}

static void overflow_array(void)
{
    struct fnp_arena arena = { 0 };

    fnp_arena_array(&arena, SIZE_MAX / 2, 3);
}

static void overflow_alloc(void)
{
    struct fnp_arena arena = { 0 };

    fnp_arena_alloc(&arena, SIZE_MAX - 3);
}

static void overflow_chunk(void)
{
    struct fnp_arena arena = { 0 };

    fnp_arena_alloc(&arena, SIZE_MAX - 16);
}

static void overflow_text(void)
{
    struct fnp_arena arena = { 0 };

    fnp_arena_text(&arena, "", SIZE_MAX);
}

static void die_with_newline(void)
{
    fnp_die("two\nlines %s", "\x1b[31m");
}

static void test_dying(void)
{
    tap_ok(dies(overflow_array), "arena: a product that overflows dies with 4");
    tap_ok(dies(overflow_alloc), "arena: a size that overflows dies with 4");
    tap_ok(dies(overflow_chunk), "arena: a chunk that overflows dies with 4");
    tap_ok(dies(overflow_text), "arena: a text that overflows dies with 4");
    tap_ok(dies(die_with_newline), "die: one printable sentence, exit 4");
}

/* ---- status */

static void test_err(void)
{
    struct fnp_err err = { "" };
    char longer[2000];

    tap_ok(fnp_err_set(&err, FNP_INPUT, "line %d", 7) == FNP_INPUT &&
               strcmp(err.text, "line 7") == 0,
           "err: status and sentence");
    tap_ok(fnp_err_set(NULL, FNP_NOTHING, "x") == FNP_NOTHING, "err: NULL is allowed");
    fnp_err_set(&err, FNP_INPUT, "a\n\t\x1b\x7f%c", 1);
    tap_ok(strcmp(err.text, "a?????") == 0, "err: control characters are shown as ?");
    fnp_err_set(&err, FNP_INPUT, "caf\xc3\xa9");
    tap_ok(strcmp(err.text, "caf\xc3\xa9") == 0, "err: UTF-8 stays");
    memset(longer, 'x', sizeof(longer));
    longer[sizeof(longer) - 1] = 0;
    fnp_err_set(&err, FNP_INPUT, "%s", longer);
    tap_ok(strlen(err.text) == sizeof(err.text) - 1, "err: over-long text is cut");
}

/* ---- str */

static void test_str_add(void)
{
    char buffer[8];
    struct fnp_str str = fnp_str_over(buffer, sizeof(buffer));

    tap_ok(str.len == 0 && buffer[0] == 0 && !str.overflow, "str: empty");
    fnp_str_add(&str, "%d", 123);
    fnp_str_add(&str, "%s", "4567");
    tap_ok(strcmp(buffer, "1234567") == 0 && str.len == 7 && !str.overflow,
           "str: filled to the last byte");
    fnp_str_add(&str, "%s", "");
    tap_ok(!str.overflow, "str: nothing more is no overflow");
    fnp_str_add(&str, "8");
    tap_ok(strcmp(buffer, "1234567") == 0 && str.len == 7 && str.overflow,
           "str: one byte too many");

    str = fnp_str_over(buffer, sizeof(buffer));
    fnp_str_add(&str, "%s", "123456789");
    fnp_str_add(&str, "%s", "x");
    tap_ok(strcmp(buffer, "1234567") == 0 && str.overflow, "str: overflow is sticky");

    str = fnp_str_over(buffer, 1);
    fnp_str_add_quoted(&str, "a");
    tap_ok(buffer[0] == 0 && str.len == 0 && str.overflow, "str: no room at all");
}

static const struct {
    const char *text, *want;
} quotes[] = {
    { "plain",                 "plain"                 },
    { "a/b-c_d.e:f,g@h%i=j+k", "a/b-c_d.e:f,g@h%i=j+k" },
    { "",                      "''"                    },
    { "v1 n=7",                "'v1 n=7'"              },
    { "it's",                  "'it'\\''s'"            },
    { "'",                     "''\\'''"               },
    { "$HOME",                 "'$HOME'"               },
    { "a.a(b.o):f",            "'a.a(b.o):f'"          },
    { "~root",                 "'~root'"               },
    { "*",                     "'*'"                   },
    { "a\\b",                  "'a\\b'"                },
    { "line\nline",            "'line\nline'"          },
    { "#c",                    "'#c'"                  },
    { "void f(void d[n])",     "'void f(void d[n])'"   },
    { "caf\xc3\xa9",           "'caf\xc3\xa9'"         },
};

/* What a real shell makes of the quoted word. */
static bool shell_agrees(const char *quoted, const char *want)
{
    char command[256], got[128];
    size_t len;
    FILE *shell;

    snprintf(command, sizeof(command), "printf '%%s|' %s", quoted);
    shell = popen(command, "r");
    if (!shell) {
        return false;
    }
    len = fread(got, 1, sizeof(got), shell);
    return pclose(shell) == 0 && len == strlen(want) + 1 && got[len - 1] == '|' &&
           memcmp(got, want, len - 1) == 0;
}

static void test_str_quoted(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(quotes); i++) {
        char buffer[64];
        struct fnp_str str = fnp_str_over(buffer, sizeof(buffer));

        fnp_str_add_quoted(&str, quotes[i].text);
        tap_ok(strcmp(buffer, quotes[i].want) == 0 && str.len == strlen(buffer) &&
                   shell_agrees(buffer, quotes[i].text),
               "quote: row %zu", i);
    }
}

static void test_str_hex(void)
{
    static const unsigned char bytes[] = { 0x00, 0x9f, 0xc0, 0xff };
    char buffer[9];
    struct fnp_str str = fnp_str_over(buffer, sizeof(buffer));

    fnp_str_add_hex(&str, bytes, sizeof(bytes));
    tap_ok(strcmp(buffer, "009fc0ff") == 0 && !str.overflow, "hex: fits exactly");
    str = fnp_str_over(buffer, 8);
    fnp_str_add_hex(&str, bytes, sizeof(bytes));
    tap_ok(strcmp(buffer, "009fc0") == 0 && str.overflow, "hex: never half a byte");
}

/* ---- nearest */

static const struct {
    const char *word, *want;
} misses[] = {
    { "verfy",    "verify"     },
    { "vreify",   "verify"     },
    { "verify",   "verify"     },
    { "lst",      "list"       },
    { "sty-read", "stray-read" },
    { "contrat",  "contract"   },
    { "l",        NULL         },
    { "",         NULL         },
    { "zzzzzz",   NULL         },
    { "replya",   "replay"     },
    { "fence",    NULL         },
    { "lixx",     NULL         },
    { "lsit",     "list"       },
};

static void test_nearest(void)
{
    static const char *const names[] = {
        "verify",
        "list",
        NULL,
        "replay",
        "stray-read",
        "contract",
        "a-name-that-is-longer-than-any-word-that-is-ever-compared-with-others"
    };
    char longer[300];

    for (size_t i = 0; i < FNP_ARRAY_LEN(misses); i++) {
        const char *got = fnp_nearest(misses[i].word, names, FNP_ARRAY_LEN(names));
        const char *want = misses[i].want;

        tap_ok(want ? got && strcmp(got, want) == 0 : !got, "nearest: \"%s\" is %s",
               misses[i].word, want ? want : "nothing");
    }
    memset(longer, 'v', sizeof(longer));
    longer[sizeof(longer) - 1] = 0;
    tap_ok(!fnp_nearest(longer, names, FNP_ARRAY_LEN(names)), "nearest: endless word");
    tap_ok(!fnp_nearest("verify", names, 0), "nearest: no names");
}

/* ---- numbers */

static const struct {
    const char *text;
    bool ok;
    uint64_t value;
} numbers[] = {
    { "0",                    true,  0          },
    { "7",                    true,  7          },
    { "007",                  true,  7          },
    { "08",                   true,  8          },
    { "0x0",                  true,  0          },
    { "0x9fC0",               true,  0x9fc0     },
    { "0X10",                 true,  16         },
    { "18446744073709551615", true,  UINT64_MAX },
    { "18446744073709551616", false, 0          },
    { "0xffffffffffffffff",   true,  UINT64_MAX },
    { "0x10000000000000000",  false, 0          },
    { "",                     false, 0          },
    { "0x",                   false, 0          },
    { "-1",                   false, 0          },
    { "+1",                   false, 0          },
    { " 1",                   false, 0          },
    { "1 ",                   false, 0          },
    { "1k",                   false, 0          },
    { "9f",                   false, 0          },
    { "0x-1",                 false, 0          },
    { "0x0x1",                false, 0          },
    { "1e3",                  false, 0          },
};

static void test_numbers(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(numbers); i++) {
        uint64_t value = 42;
        bool ok = fnp_parse_u64(numbers[i].text, &value);

        tap_ok(ok == numbers[i].ok && value == (ok ? numbers[i].value : 42),
               "number: \"%s\"", numbers[i].text);
    }
}

/* ---- opt */

#define WORDS 8
#define X16   "xxxxxxxxxxxxxxxx"
#define X64   X16 X16 X16 X16
#define X63   X16 X16 X16 "xxxxxxxxxxxxxxx"

/* What is expected of one command line; the options are those of parse(). */
static const struct {
    const char *name;
    const char *argv[WORDS];
    bool verbose, quiet;
    const char *format;       /* NULL: not given */
    uint64_t jobs;            /* 0: not given */
    const char *skips[WORDS]; /* --skip, in order */
    const char *names[WORDS];
    int rest;          /* index of the first word behind "--"; 0: none */
    const char *error; /* the sentence; NULL: it is fine */
} lines[] = {
    { .name = "nothing", .argv = { NULL } },
    { .name = "flag and letter",
     .argv = { "--verbose", "-q" },
     .verbose = true,
     .quiet = true },
    { .name = "joined letters", .argv = { "-vq" }, .verbose = true, .quiet = true },
    { .name = "value behind", .argv = { "--format", "tap" }, .format = "tap" },
    { .name = "value joined", .argv = { "--format=tap" }, .format = "tap" },
    { .name = "empty value", .argv = { "--format=" }, .format = "" },
    { .name = "value with =", .argv = { "--format=a=b" }, .format = "a=b" },
    { .name = "last text wins",
     .argv = { "--format=a", "--format", "b" },
     .format = "b" },
    { .name = "letter and value", .argv = { "-j", "4" }, .jobs = 4 },
    { .name = "letter joined value", .argv = { "-j16" }, .jobs = 16 },
    { .name = "flag, letter, value",
     .argv = { "-vj", "0x10" },
     .verbose = true,
     .jobs = 16 },
    { .name = "list keeps all",
     .argv = { "--skip=a", "--skip", "b" },
     .skips = { "a", "b" } },
    { .name = "names between",
     .argv = { "x.o:f", "-v", "builtin:*" },
     .verbose = true,
     .names = { "x.o:f", "builtin:*" } },
    { .name = "a dash is a name", .argv = { "-" }, .names = { "-" } },
    { .name = "value like an option", .argv = { "--format", "-v" }, .format = "-v" },
    { .name = "rest",
     .argv = { "a", "--", "-v", "--no" },
     .names = { "a" },
     .rest = 2 },
    { .name = "empty name", .argv = { "" }, .names = { "" } },
    { .name = "unknown, near",
     .argv = { "--formt=x" },
     .error = "unknown option --formt; did you mean --format?" },
    { .name = "unknown, far", .argv = { "--zzz" }, .error = "unknown option --zzz" },
    { .name = "unknown, endless",
     .argv = { "--" X64 X16 },
     .error = "unknown option --" X63 },
    { .name = "unknown letter", .argv = { "-vx" }, .error = "unknown option -x" },
    { .name = "prefix is unknown",
     .argv = { "--forma" },
     .error = "unknown option --forma; did you mean --format?" },
    { .name = "value missing",
     .argv = { "--format" },
     .error = "--format needs a value (NAME)" },
    { .name = "letter, value missing",
     .argv = { "-j" },
     .error = "--jobs needs a value (N)" },
    { .name = "flag with value",
     .argv = { "--verbose=1" },
     .error = "--verbose takes no value" },
    { .name = "no number",
     .argv = { "--jobs=two" },
     .error = "--jobs needs a number, not \"two\"" },
    { .name = "negative number",
     .argv = { "--jobs", "-1" },
     .error = "--jobs needs a number, not \"-1\"" },
};

static bool same_list(const struct fnp_opt_list *got, const char *const *want)
{
    size_t count = 0;

    while (count < WORDS && want[count]) {
        count++;
    }
    if (got->count != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(got->item[i], want[i]) != 0) {
            return false;
        }
    }
    return true;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool line_is_read(size_t i)
{
    bool verbose = false, quiet = false;
    const char *format = NULL;
    uint64_t jobs = 0;
    struct fnp_opt_list skips = { 0 }, names = { 0 };
    const struct fnp_opt options[] = {
        { "verbose", 'v', FNP_OPT_FLAG,  &verbose, NULL,   "say more"     },
        { "quiet",   'q', FNP_OPT_FLAG,  &quiet,   NULL,   "say less"     },
        { "format",  0,   FNP_OPT_TEXT,  &format,  "NAME", "how to print" },
        { "jobs",    'j', FNP_OPT_COUNT, &jobs,    "N",    "workers"      },
        { "skip",    0,   FNP_OPT_LIST,  &skips,   "SLUG", "leave out"    },
    };
    char *argv[WORDS] = { NULL };
    char copy[WORDS][128];
    struct fnp_err err = { "" };
    enum fnp_status status;
    int argc = 0, rest = -1;

    for (; argc < WORDS && lines[i].argv[argc]; argc++) {
        snprintf(copy[argc], sizeof(copy[argc]), "%s", lines[i].argv[argc]);
        argv[argc] = copy[argc];
    }
    status =
        fnp_opt_parse(argc, argv, options, FNP_ARRAY_LEN(options), &names, &rest, &err);
    if (lines[i].error) {
        return status == FNP_INPUT && strcmp(err.text, lines[i].error) == 0;
    }
    return status == FNP_OK && !err.text[0] && verbose == lines[i].verbose &&
           quiet == lines[i].quiet && same_text(format, lines[i].format) &&
           jobs == lines[i].jobs && same_list(&skips, lines[i].skips) &&
           same_list(&names, lines[i].names) &&
           rest == (lines[i].rest ? lines[i].rest : argc);
}

static void test_opt(void)
{
    char word[] = "x";
    char *argv[FNP_OPT_LIST_MAX + 1];
    struct fnp_opt_list names = { 0 };
    struct fnp_err err = { "" };

    for (size_t i = 0; i < FNP_ARRAY_LEN(lines); i++) {
        tap_ok(line_is_read(i), "opt: %s", lines[i].name);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(argv); i++) {
        argv[i] = word;
    }
    tap_ok(fnp_opt_parse(FNP_OPT_LIST_MAX, argv, NULL, 0, &names, NULL, &err) ==
                   FNP_OK &&
               names.count == FNP_OPT_LIST_MAX,
           "opt: as many names as there is room for");
    names.count = 0;
    tap_ok(fnp_opt_parse(FNP_OPT_LIST_MAX + 1, argv, NULL, 0, &names, NULL, &err) ==
                   FNP_INPUT &&
               strcmp(err.text, "more than 64 names") == 0,
           "opt: one name too many");
}

/* ---- rng */

static void test_rng(void)
{
    /* The published values of splitmix64 for seed 1234567, from the second on. */
    static const uint64_t want[] = { 3203168211198807973u, 9817491932198370423u,
                                     4593380528125082431u, 16408922859458223821u };
    struct fnp_rng rng = { 1234567 };
    bool same = true, below = true;
    unsigned seen[7] = { 0 };
    bool all_seen = true;

    for (size_t i = 0; i < FNP_ARRAY_LEN(want); i++) {
        same = same && fnp_rng_next(&rng) == want[i];
    }
    tap_ok(same, "rng: splitmix64");
    for (unsigned i = 0; i < 700; i++) {
        uint64_t value = fnp_rng_below(&rng, 7);

        below = below && value < 7;
        seen[value % 7]++;
    }
    for (size_t i = 0; i < 7; i++) {
        all_seen = all_seen && seen[i] > 50;
    }
    tap_ok(below && all_seen, "rng: below 7, every value of about its share");
    tap_ok(fnp_rng_below(&rng, 0) == 0, "rng: below 0");
    tap_ok(fnp_mix(0) == 0xe220a8397b1dcdafu, "rng: mix of 0");
}

int main(void)
{
    test_arena_objects();
    test_arena_texts();
    test_dying();
    test_err();
    test_str_add();
    test_str_quoted();
    test_str_hex();
    test_nearest();
    test_numbers();
    test_opt();
    test_rng();
    return tap_done();
}
