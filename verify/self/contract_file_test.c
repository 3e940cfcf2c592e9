/* SPDX-License-Identifier: MIT */
/*
 * contract_file_test.c - contract files as people write them, wrong ones, damaged ones
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/rng.h"
#include "subject/contract.h"
#include "subject/ini.h"
#include "verify/self/tap.h"

static enum fnp_status parse(struct fnp_arena *arena, const char *text,
                             struct fnp_contract_file *out, struct fnp_err *err)
{
    *err = (struct fnp_err){ 0 };
    return fnp_contract_parse(arena, "dir/x.ini", text, strlen(text), out, err);
}

/* ---- refusals */

#define OK_PROTO   "proto = void f(void d[n], const void s[n], size_t n)\n"
#define FILL_PROTO "proto = void f(void d[64], int c, long v)\n"
#define X10        "xxxxxxxxxx"
#define X50        X10 X10 X10 X10 X10
#define X200       X50 X50 X50 X50

static const struct {
    const char *text, *says;
} refusals[] = {
    { "[f]\n" OK_PROTO "algin = 16\n",
     "x.ini:3: unknown key \"algin\"; nearest is \"align\""                                                                   },
    { "[f]\n" OK_PROTO "qqqqqqq = 16\n",                                          "x.ini:3: unknown key \"qqqqqqq\""          },
    { "",                                                                         "x.ini: no contract in it"                  },
    { "; nothing\n\n",                                                            "no contract in it"                         },
    { OK_PROTO,                                                                   "x.ini:1: a key before the first [section]" },
    { "[f]\n[g]\n" OK_PROTO,                                                      "x.ini:1: no key in section \"f\""          },
    { "[f]\n" OK_PROTO "[g]\n",                                                   "x.ini:3: no key in section \"g\""          },
    { "[f]\n" OK_PROTO "\n[f]\nop = copy\n",                                      "x.ini:4: a second section \"f\""           },
    { "[f]\n" OK_PROTO "op = copy\nop = move\n",                                  "x.ini:4: a second key \"op\""              },
    { "[f\n" OK_PROTO,                                                            "x.ini:1: a section is one name"            },
    { "[f] x\n" OK_PROTO,                                                         "x.ini:1: a section is one name"            },
    { "[ ]\n" OK_PROTO,                                                           "without a name"                            },
    { "[" X50 "]\n" OK_PROTO,                                                     "at most 49"                                },
    { "[f]\n" X50 " = 1\n",                                                       "x.ini:2: a key may have at most 49"        },
    { "[f]\n# " X200 "\n",                                                        "x.ini:2: a line may have at most 199"      },
    { "[f]\nproto\n",                                                             "x.ini:2: neither [section] nor key"        },
    { "[f]\n= 3\n",                                                               "no key before"                             },
    { "[f]\nproto = ; later\n",                                                   "x.ini:2: no value for key \"proto\""       },
    { "[f]\nproto = \001\n",                                                      "control character"                         },
    { "[f]\nop = copy\n",                                                         "x.ini:1: [f]: no prototype"                },
    { "[f]\nproto = void f(void *d, size_t n)\n",                                 "x.ini:2: proto: pointer \"d\""             },
    { "[f]\nproto = void f(void a[n], const void b[8], size_t n)\n",
     "[f]: say op = copy"                                                                                                     },
    { "[f]\nproto = void f(void a[n], size_t n)\nop = copy\n",
     "x.ini:3: op = copy needs one output and one const input"                                                                },
    { "[f]\nproto = void f(void a[n], const void b[2*n], size_t n)\nop = move\n",
     "equal length"                                                                                                           },
    { "[f]\nproto = void f(void a[n], size_t n)\nop = set\n",
     "needs a value parameter"                                                                                                },
    { "[f]\nproto = void f(u32 a[n], u16 c, size_t n)\nop = set\n",
     "as wide as the buffer's elements"                                                                                       },
    { "[f]\nproto = void f(u64 a[n], int c, u64 d, size_t n)\nop = set\n",
     "x.ini:3: op = set needs a value parameter as wide"                                                                      },
    { "[f]\nproto = void f(u16 a[n], char c, size_t n)\n",
     "x.ini:1: [f]: op = set needs a value parameter as wide"                                                                 },
    { "[a b]\nproto = void f(u64 a[n])\n",                                        "x.ini:2: proto"                            },
    { "[f]\nlike = f\n",                                                          "x.ini:1: [f] is like itself"               },
    { "[f]\n" OK_PROTO "op = set\n",                                              "needs one buffer"                          },
    { "[f]\n" OK_PROTO "op = zero\n",                                             "needs one buffer"                          },
    { "[f]\n" OK_PROTO "op = cpoy\n",
     "x.ini:3: op: unknown word \"cpoy\"; nearest is \"copy\""                                                                },
    { "[f]\n" OK_PROTO "op = ref\n",                                              "write ref:SYMBOL"                          },
    { "[f]\n" OK_PROTO "op = ref:\n",                                             "no symbol behind"                          },
    { "[f]\n" OK_PROTO "sizes = 5:1:1\n",                                         "holds no size"                             },
    { "[f]\n" OK_PROTO "sizes = 1:2:0\n",                                         "not least:most:step"                       },
    { "[f]\n" OK_PROTO "sizes = 1:2:1:1\n",                                       "not least:most:step"                       },
    { "[f]\n" OK_PROTO "sizes = -:2:1\n",                                         "not least:most:step"                       },
    { "[f]\n" OK_PROTO "sizes = 1,x\n",                                           "\"x\" is neither a number nor a range"     },
    { "[f]\n" OK_PROTO "sizes = 1,2-\n",                                          "neither a number"                          },
    { "[f]\n" OK_PROTO "sizes = ,\n",                                             "holds no number"                           },
    { "[f]\n" OK_PROTO "sizes = 0-64\n",                                          "at most 64 numbers"                        },
    { "[f]\n" FILL_PROTO "values = c:0-256\n",                                    "at most 256 numbers"                       },
    { "[f]\n" OK_PROTO "sizes = 0-18446744073709551615\n",                        "at most 64 numbers"                        },
    { "[f]\nproto = void f(void a[n], u8 n)\nsizes = 0:256:1\n",                  "cannot carry 256"                          },
    { "[f]\nproto = void f(void a[n], u8 n)\nsizes = 3,256\n",                    "cannot carry 256"                          },
    { "[f]\nproto = void f(void a[n], size_t n/8)\nsizes = 0:64:4\n",
     "multiples of 8"                                                                                                         },
    { "[f]\nproto = void f(void a[n], size_t n/8)\nsizes = 4:64:8\n",
     "multiples of 8"                                                                                                         },
    { "[f]\nproto = void f(void a[n], size_t n/8)\nsizes = 12\n",                 "cannot carry 12"                           },
    { "[f]\nproto = void f(void a[8])\nsizes = 12\n",                             "no size variable"                          },
    { "[f]\n" OK_PROTO "align = 3\n",                                             "\"3\" is not a power of two"               },
    { "[f]\n" OK_PROTO "align = 8192\n",                                          "not a power of two up to 4096"             },
    { "[f]\n" OK_PROTO "align = d:16 src2:16\n",                                  "unknown buffer \"src2\""                   },
    { "[f]\n" OK_PROTO "align = third:16\n",                                      "unknown buffer \"third\""                  },
    { "[f]\n" OK_PROTO "overlap = sme\n",                                         "nearest is \"same\""                       },
    { "[f]\nproto = void f(void a[n], size_t n)\noverlap = any\n",
     "overlap = any needs"                                                                                                    },
    { "[f]\n" OK_PROTO "returns = dst\n",
     "the prototype returns void, so say where: dst@rax"                                                                      },
    { "[f]\n" OK_PROTO "returns = dst@rsp\n",                                     "register rsp cannot"                       },
    { "[f]\n" OK_PROTO "abi = sysv64\nreturns = dst@eax\n",
     "unknown register \"eax\"; nearest is \"rax\""                                                                           },
    { "[f]\n" OK_PROTO "returns = value\n",                                       "write value:NUMBER"                        },
    { "[f]\n" OK_PROTO "returns = value:x\n",                                     "\"x\" is not a number of"                  },
    { "[f]\nproto = u8 f(void a[8])\nreturns = value:-129\n",                     "of the declared type"                      },
    { "[f]\n" OK_PROTO "returns = ref@rax\n",                                     "needs op = ref"                            },
    { "[f]\nproto = int f(void a[8])\nreturns = dst\nabi = ms64\n",
     "returns a pointer"                                                                                                      },
    { "[f]\nproto = u8 f(void a[8])\nreturns = value:256\n",                      "return type"                               },
    { "[f]\n" OK_PROTO "abi = sysv46\n",                                          "nearest is \"sysv64\""                     },
    { "[f]\n" OK_PROTO "abi = regs\n",                                            "write \"regs: rdi=dst rcx=n\""             },
    { "[f]\n" OK_PROTO "abi = regs: rdi=d rsi=s\n",                               "no register for parameter 3 (n)"           },
    { "[f]\n" OK_PROTO "abi = regs: rdi=d rdi=s rcx=n\n",
     "register rdi cannot be used"                                                                                            },
    { "[f]\n" OK_PROTO "abi = regs: rdi=d rsi=d rcx=n\n",                         "\"rsi=d\" is not REGISTER"                 },
    { "[f]\n" OK_PROTO "abi = regs: rdi\n",                                       "is not REGISTER"                           },
    { "[f]\n" OK_PROTO "clobbers = rax xmm16\n",                                  "unknown register \"xmm16\""                },
    { "[f]\n" OK_PROTO "clobbers = rax xmm3\nstate = preserve\n",
     "contradicts state = preserve"                                                                                           },
    { "[f]\n" OK_PROTO "clobbers = rsp\n",                                        "rsp cannot"                                },
    { "[f]\n" OK_PROTO "state = usr\n",                                           "nearest is \"user\""                       },
    { "[f]\n" OK_PROTO "redzone = 4097\n",                                        "not a number up to 4096"                   },
    { "[f]\n" OK_PROTO "redzone = -1\n",                                          "not a number up to 4096"                   },
    { "[f]\n" OK_PROTO "order = unset\n",                                         "unknown word"                              },
    { "[f]\n" OK_PROTO "reads = aligned:0\n",                                     "power of two"                              },
    { "[f]\n" OK_PROTO "reads = any\n",                                           "neither exact nor aligned:N"               },
    { "[f]\n" OK_PROTO "writes = atomic\n",                                       "write atomic:N"                            },
    { "[f]\n" OK_PROTO "writes = atomic:128\n",                                   "power of two up to 64"                     },
    { "[f]\n" OK_PROTO "writes = onec\n",                                         "nearest is \"once\""                       },
    { "[f]\n" OK_PROTO "faults = left\n",                                         "faults = left needs returns = left"        },
    { "[f]\n" FILL_PROTO "values = c\n",                                          "not NAME:NUMBER"                           },
    { "[f]\n" FILL_PROTO "values = d:1\n",                                        "not NAME:NUMBER"                           },
    { "[f]\n" FILL_PROTO "values = c:0x100000000\n",                              "c cannot be 4294967296"                    },
    { "[f]\n" OK_PROTO "cpu = ssse2\n",                                           "unknown CPU feature \"ssse2\"; nearest is" },
    { "[f]\n" OK_PROTO "set = a\n",                                               "\"a\" is not NAME:NUMBER"                  },
    { "[f]\n" OK_PROTO "set = :1\n",                                              "is not NAME:NUMBER"                        },
    { "[f]\n" OK_PROTO "set = a:1\nstub = a\n",                                   "\"a\" is defined twice"                    },
    { "[f]\n" OK_PROTO "address = x\n",                                           "is not a number"                           },
    { "[f]\n" OK_PROTO "address = 1\nsymbol = g\n",                               "either symbol = g or an address"           },
    { "[f]\n" OK_PROTO "profile = lnux\n",                                        "there is \"linux\""                        },
    { "[f]\n" OK_PROTO "allow = strai-write\n",                                   "nearest is \"stray-write\""                },
    { "[f]\n" OK_PROTO "allow = hang \"x\n",                                      "one text in quotes"                        },
    { "[f]\n" OK_PROTO "allow = hang \"\"\n",                                     "one text in quotes"                        },
    { "[f]\n" OK_PROTO "allow = hang hang\n",                                     "expected a comma"                          },
    { "[f]\n" OK_PROTO "allow = hang,\n",                                         "unknown finding \"\""                      },
    { "[f]\n" OK_PROTO "allow = hang@\n",                                         "no symbol behind"                          },
    { "[f]\n" OK_PROTO "allow = hang@f+x\n",                                      "not an offset"                             },
    { "[f]\n" OK_PROTO "like = g\n",                                              "[f] is like \"g\", which is no section"    },
    { "[f]\nlike = g\n[g]\nlike = f\n",                                           "[f] is like itself"                        },
    { "[f*]\nlike = g\n[g]\n" OK_PROTO,                                           "a pattern [f*] cannot be like"             },
    { "[q*]\nalgin = 1\n[g]\n" OK_PROTO,                                          "x.ini:2: unknown key"                      },
};

static void test_refusals(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(refusals); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract_file file;
        struct fnp_err err;
        enum fnp_status status = parse(&arena, refusals[i].text, &file, &err);

        tap_ok(status == FNP_INPUT && !strncmp(err.text, "dir/x.ini", 9) &&
                   strstr(err.text, refusals[i].says) && !strchr(err.text, '\n'),
               "%s", status ? err.text : refusals[i].says);
        fnp_arena_release(&arena);
    }
}

static void test_nul_byte(void)
{
    static const char text[] = "[f]\n" OK_PROTO "op = co\0py\n";
    struct fnp_arena arena = { 0 };
    struct fnp_contract_file file;
    struct fnp_err err = { 0 };

    tap_ok(fnp_contract_parse(&arena, "x.ini", text, sizeof(text) - 1, &file, &err) ==
                   FNP_INPUT &&
               strstr(err.text, "x.ini:3: a NUL byte"),
           "NUL byte: %s", err.text);
    tap_ok(fnp_contract_read(&arena, "/nowhere/x.ini", &file, &err) == FNP_INPUT &&
               strstr(err.text, "/nowhere/x.ini: No such file"),
           "missing file: %s", err.text);
    tap_ok(fnp_contract_read(&arena, "/", &file, &err) == FNP_INPUT &&
               !strcmp(err.text, "/: Is a directory"),
           "a folder: %s", err.text);
    fnp_arena_release(&arena);
}

/* Files of some length that hold one byte only, and what is said about them. */
static void test_strange_files(void)
{
    static const struct {
        const char *what;
        char byte;
        size_t len;
        const char *says;
    } rows[] = {
        { "empty",    0,      0,        ": no contract in it; a contract is a [section]" },
        { "newlines", '\n',   100000,   ": no contract in it; a contract is a [section]" },
        { "one line", 'a',    100000,   ":1: a line may have at most 199 characters"     },
        { "binary",   '\001', 64,       ":1: a control character"                        },
        { "zeros",    0,      64,       ":1: a NUL byte"                                 },
        { "10 MB",    '\n',   10000000, ": too long for a contract file"                 },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract_file file;
        struct fnp_err err = { 0 };
        char path[] = "/tmp/fencepost-contract-XXXXXX";
        int fd = mkstemp(path);
        FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

        for (size_t k = 0; out && k < rows[i].len; k++) {
            fputc(rows[i].byte, out);
        }
        tap_ok(out && !fclose(out) &&
                   fnp_contract_read(&arena, path, &file, &err) == FNP_INPUT &&
                   !strncmp(err.text, path, strlen(path)) &&
                   !strcmp(err.text + strlen(path), rows[i].says),
               "%s: %s", rows[i].what, err.text);
        unlink(path);
        fnp_arena_release(&arena);
    }
}

/* ---- files as people write them */

#define FORMS(comment)                                                                 \
    "\xef\xbb\xbf"                                                                     \
    "; a comment\r\n"                                                                  \
    "\r\n"                                                                             \
    "   [ f ]   ; the first\r\n"                                                       \
    "# another\r\n"                                                                    \
    "\tproto = void f(void d[n],\tconst void s[n], size_t n);" comment "\r\n"          \
    "    align : 16 ; both\r\n"                                                        \
    "[g]\n"                                                                            \
    "proto=void g(void d[8]);"

static void test_forms(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_contract_file file;
    struct fnp_err err;

    tap_ok(!parse(&arena, FORMS(" ; why"), &file, &err) && file.count == 2 &&
               !strcmp(file.dir, "dir") && !strcmp(file.contracts[0].name, "f") &&
               file.contracts[0].bufs[1].align == 16 &&
               file.contracts[0].op == FNP_OP_COPY &&
               file.contracts[1].op == FNP_OP_ZERO,
           "BOM, CRLF, indentation, comments %s", err.text);
    tap_ok(parse(&arena, FORMS("; why"), &file, &err) == FNP_INPUT,
           "no comment without a space before it: %s", err.text);
    fnp_arena_release(&arena);
}

static void test_inheritance(void)
{
    static const char text[] = "[*]\nredzone = 0\nalign = 4\n"
                               "[mem*]\nalign = 8\nstate = preserve\n"
                               "[memcpy_a]\n" OK_PROTO "allow = hang\nsymbol = a\n"
                               "[memcpy_b]\nlike = memcpy_a\nredzone = 64\n"
                               "[other]\nlike = memcpy_b\nop = move\n";
    struct fnp_arena arena = { 0 };
    struct fnp_contract_file file;
    struct fnp_err err;
    bool ok = !parse(&arena, text, &file, &err) && file.count == 3;
    const struct fnp_contract *a = file.contracts, *b = a + 1, *other = a + 2;

    tap_ok(ok, "patterns are no contracts: %zu %s", file.count, err.text);
    tap_ok(ok && a->redzone == 0 && a->bufs[0].align == 8 &&
               a->state == FNP_STATE_PRESERVE,
           "a later pattern wins over an earlier one");
    tap_ok(ok && b->redzone == 64 && b->bufs[0].align == 8,
           "own keys win over patterns");
    tap_ok(ok && !b->n_allows && !strcmp(b->symbol, "memcpy_b"),
           "symbol and allow are not taken over");
    tap_ok(ok && other->redzone == 64 && other->op == FNP_OP_MOVE &&
               other->bufs[0].align == 4 && other->state == FNP_STATE_USER,
           "like of like; patterns go by the own name");
    fnp_arena_release(&arena);
}

/* ---- damage */

static const char sound[] =
    "; contracts of a few kernels\n"
    "[*]\n"
    "redzone = 0\n"
    "\n"
    "[copy_page_sse2]\n"
    "object  = copy_page.o     ; relative\n"
    "symbol  = copy_page_sse2\n"
    "proto   = void copy_page_sse2(void dst[4096], const void src[4096])\n"
    "op      = copy\n"
    "align   = dst:16 src:16\n"
    "overlap = none\n"
    "returns = none\n"
    "abi     = sysv64\n"
    "clobbers = rax rcx rdi\n"
    "state   = user\n"
    "order   = drained\n"
    "reads   = exact\n"
    "writes  = any\n"
    "faults  = fatal\n"
    "cpu     = sse2\n"
    "\n"
    "[memset_erms]\n"
    "object = memset.S\n"
    "proto  = void *memset_erms(void dst[n], int c, size_t n)\n"
    "op     = set\n"
    "sizes  = 0,1,5-9,4096\n"
    "values = c:0,255,300\n"
    "returns = dst\n"
    "set    = threshold:2048 other:0x10\n"
    "stub   = __chk_fail probe:1\n"
    "cc     = gcc-12\n"
    "cflags = -O2 -Iinclude\n"
    "box    = n=0:8192 dst=0:63\n"
    "cases  = corpus/regress\n"
    "allow  = df-set@memset_erms+0x12 \"known\", hang\n"
    "expect = df-set\n"
    "twin   = memset_good\n"
    "\n"
    "[memset_good]\n"
    "like   = memset_erms\n"
    "\n"
    "[mem*]\n"
    "profile = linux\n"
    "\n"
    "[copy_user]\n"
    "proto  = size_t copy_user(inout u32 dst[2*n+4], const u32 src[2*n+4], unsigned "
    "n/8, 0)\n"
    "op     = ref:copy_user_c\n"
    "sizes  = 64:-:64\n"
    "returns = left@rcx\n"
    "faults = left\n"
    "reads  = aligned:16\n"
    "writes = atomic:8\n"
    "drain  = drain_it\n"
    "order  = weak\n"
    "\n"
    "[asm_clear]\n"
    "proto  = void asm_clear(void dst[n], size_t n)\n"
    "abi    = regs: rdi=dst rcx=n rax=0\n"
    "address = 0x1240\n"
    "redzone = 64\n";

/* One to four edits: a flipped bit, a byte of the alphabet of INI, a piece cut or moved. */
static size_t damage(struct fnp_rng *rng, char *text, size_t len)
{
    static const char alphabet[] = "[]=:;#,*@+-/\\\"'0159xn \t\r\n\0()";
    uint64_t edits = 1 + fnp_rng_below(rng, 4);

    while (edits-- && len > 1) {
        size_t at = fnp_rng_below(rng, len);
        size_t other = fnp_rng_below(rng, len);

        switch (fnp_rng_below(rng, 5)) {
        case 0:
            text[at] = (char)(text[at] ^ 1 << fnp_rng_below(rng, 8));
            break;
        case 1:
            text[at] = alphabet[fnp_rng_below(rng, sizeof(alphabet) - 1)];
            break;
        case 2:
            len = fnp_rng_below(rng, 4) ? len : at;
            break;
        case 3: {
            size_t cut = fnp_rng_below(rng, 8) + 1;
            cut = cut < len - at ? cut : len - at;
            memmove(text + at, text + at + cut, len - at - cut);
            len -= cut;
            break;
        }
        default: {
            size_t piece = fnp_rng_below(rng, 40);
            size_t end = at > other ? at : other;
            piece = piece < len - end ? piece : len - end;
            memmove(text + at, text + other, piece);
            break;
        }
        }
    }
    return len;
}

static bool one_sentence(const char *text)
{
    return *text && !strchr(text, '\n') && strlen(text) < sizeof(struct fnp_err) - 1;
}

static void test_damage(void)
{
    unsigned fine = 0, refused = 0, wrong = 0;

    for (uint64_t i = 0; i < 20000; i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_rng rng = { i };
        struct fnp_contract_file file;
        struct fnp_err err = { 0 };
        char edited[sizeof(sound)];
        size_t len = sizeof(sound) - 1;
        char *text;
        enum fnp_status status;

        memcpy(edited, sound, sizeof(sound));
        len = i < len ? i : damage(&rng, edited, len);
        /* Exactly as long as the text, so that a sanitizer sees every over-read. */
        text = malloc(len + !len);
        memcpy(text, edited, len);
        status = fnp_contract_parse(&arena, "x.ini", text, len, &file, &err);
        fine += status == FNP_OK;
        refused += status == FNP_INPUT && one_sentence(err.text);
        if (status == FNP_OK ? file.ini->n_sections == 0
                             : status != FNP_INPUT || !one_sentence(err.text)) {
            wrong++;
        }
        free(text);
        fnp_arena_release(&arena);
    }
    tap_ok(!wrong, "damaged contracts: %u fine, %u refused, %u neither", fine, refused,
           wrong);
    tap_ok(fine > 1000 && refused > 5000,
           "the damage is neither too small nor too great");
}

int main(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_contract_file file;
    struct fnp_err err;

    tap_ok(!parse(&arena, sound, &file, &err) && file.count == 5, "the sound file %s",
           err.text);
    fnp_arena_release(&arena);
    test_refusals();
    test_nul_byte();
    test_strange_files();
    test_forms();
    test_inheritance();
    test_damage();
    return tap_done();
}
