/* SPDX-License-Identifier: MIT */
/*
 * case_test.c - cases as text, bytes and files: spellings, round trips, damage
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "subject/case.h"
#include "verify/self/tap.h"

enum {
    RANDOM_CASES = 200000,
    DAMAGED = 20000
};

static const char *text_of(const struct fnp_case *c, bool with_n)
{
    static char text[FNP_CASE_TEXT_MAX];
    struct fnp_str str = fnp_str_over(text, sizeof(text));

    fnp_case_text(c, with_n, &str);
    return str.overflow ? "(overflow)" : text;
}

/* What is read on the left is written on the right. */
static const struct {
    const char *read, *written;
} spellings[] = {
    { "v1",                                                                         "v1 n=0"                          },
    { "v1 n=4093 dst=13 src=0 overlap=-7 place=dst:end fill=pos seed=7 mxcsr=9fc0",
     "v1 n=4093 dst=13 overlap=-7 place=dst:end seed=7 mxcsr=9fc0"                                                    },
    { "  v1\tmxcsr=0x9FC0  seed=7 n=0x10 ",                                         "v1 n=16 seed=7 mxcsr=9fc0"       },
    { "v1 n=18446744073709551615",                                                  "v1 n=18446744073709551615"       },
    { "v1 dst=0 src=63 third=1",                                                    "v1 n=0 dst=0 src=63 third=1"     },
    { "v1 n=9 overlap=0",                                                           "v1 n=9 overlap=0"                },
    { "v1 n=9 overlap=-0",                                                          "v1 n=9 overlap=0"                },
    { "v1 n=9 lap=-3 src=5 line=src:3 place=src:end",                               "v1 n=9 lap=-3"                   },
    { "v1 overlap=-2147483647",                                                     "v1 n=0 overlap=-2147483647"      },
    { "v1 place=third:cross,dst:end,src:start",
     "v1 n=0 place=dst:end,src:start,third:cross"                                                                     },
    { "v1 place=dst:mid,src:mid",                                                   "v1 n=0"                          },
    { "v1 line=dst:5,src:9,third:0",                                                "v1 n=0 line=dst:5,src:9"         },
    { "v1 line=dst:5,src:9 place=dst:end",                                          "v1 n=0 place=dst:end line=src:9" },
    { "v1 field=low",                                                               "v1 n=0 field=low"                },
    { "v1 field=high fill=pos upper=junk junk=0 repeat=0 x87=0 ymm=0",              "v1 n=0"                          },
    { "v1 fill=unnormal",                                                           "v1 n=0 fill=unnormal"            },
    { "v1 value=10 value2=0xABC value3=ffffffffffffffff",
     "v1 n=0 value=10 value2=abc value3=ffffffffffffffff"                                                             },
    { "v1 mxcsr=1f80 fcw=37f",                                                      "v1 n=0"                          },
    { "v1 mxcsr=0 fcw=0",                                                           "v1 n=0 mxcsr=0 fcw=0"            },
    { "v1 x87=empty",                                                               "v1 n=0"                          },
    { "v1 x87=8",                                                                   "v1 n=0 x87=8"                    },
    { "v1 x87=10",                                                                  "v1 n=0 x87=pending"              },
    { "v1 x87=9",                                                                   "v1 n=0 x87=mmx"                  },
    { "v1 x87=mmx ymm=1 junk=255 repeat=7 upper=ones",
     "v1 n=0 upper=ones junk=255 repeat=7 x87=mmx ymm=1"                                                              },
};

/* What cannot be read, and a part of the sentence. */
static const struct {
    const char *read, *says;
} refusals[] = {
    { "",                           "begins with \"v1\""                    },
    { "n=5",                        "begins with \"v1\", not with \"n=5\""  },
    { "v2 n=5",                     "version v2"                            },
    { "v17",                        "version v17"                           },
    { "v",                          "begins with"                           },
    { "v1 size=5",                  "unknown case key \"size\""             },
    { "v1 mxcr=9fc0",               "nearest is \"mxcsr\""                  },
    { "v1 n",                       "\"n\" in a case is not KEY=VALUE"      },
    { "v1 =5",                      "unknown case key"                      },
    { "v1 n=",                      "case key \"n\": \"\" is not 0.."       },
    { "v1 n=-1",                    "\"n\": \"-1\""                         },
    { "v1 n=5x",                    "\"n\": \"5x\""                         },
    { "v1 n=0x",                    "\"n\": \"0x\""                         },
    { "v1 n=18446744073709551616",  "is not 0..18446744073709551615"        },
    { "v1 n=1 n=1",                 "\"n\" is given twice"                  },
    { "v1 overlap=1 lap=1",         "exclude each other"                    },
    { "v1 lap=1 overlap=0",         "exclude each other"                    },
    { "v1 lap=0",                   "\"lap\": \"0\""                        },
    { "v1 overlap=2147483648",      "\"overlap\": \"2147483648\""           },
    { "v1 overlap=-2147483648",     "\"overlap\""                           },
    { "v1 overlap=--1",             "\"overlap\""                           },
    { "v1 dst=64",                  "case key \"dst\": \"64\" is not 0..63" },
    { "v1 src=64",                  "\"src\""                               },
    { "v1 third=64",                "\"third\""                             },
    { "v1 place=end",               "\"place\""                             },
    { "v1 place=dst:top",           "is not ROLE:mid|end|start|cross"       },
    { "v1 place=dest:end",          "\"place\""                             },
    { "v1 place=dst:end,",          "\"place\""                             },
    { "v1 place=dst:end,dst:end",   "\"place\""                             },
    { "v1 line=dst:64",             "\"line\""                              },
    { "v1 line=dst",                "\"line\""                              },
    { "v1 field=middle",            "is not high|low|split31"               },
    { "v1 fill=nan",                "is not pos|zero"                       },
    { "v1 seed=4294967296",         "\"seed\""                              },
    { "v1 value=fffffffffffffffff", "\"value\""                             },
    { "v1 value=g",                 "\"value\""                             },
    { "v1 upper=1",                 "\"upper\""                             },
    { "v1 junk=256",                "\"junk\""                              },
    { "v1 repeat=8",                "\"repeat\""                            },
    { "v1 mxcsr=10000",             "\"mxcsr\""                             },
    { "v1 fcw=10000",               "\"fcw\""                               },
    { "v1 x87=11",                  "\"x87\""                               },
    { "v1 x87=full",                "\"x87\""                               },
    { "v1 ymm=2",                   "\"ymm\""                               },
    { "v1 n=5\nseed=1",             "\"n\""                                 },
};

static void test_text(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(spellings); i++) {
        struct fnp_case c, again;
        struct fnp_err err = { { 0 } };
        bool ok = fnp_case_parse(spellings[i].read, &c, &err) == FNP_OK &&
                  strcmp(text_of(&c, true), spellings[i].written) == 0 &&
                  fnp_case_parse(spellings[i].written, &again, &err) == FNP_OK &&
                  fnp_case_equal(&c, &again);

        tap_ok(ok, "\"%s\" reads as \"%s\"%s", spellings[i].read, spellings[i].written,
               err.text);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(refusals); i++) {
        struct fnp_case c;
        struct fnp_err err = { { 0 } };
        bool ok = fnp_case_parse(refusals[i].read, &c, &err) == FNP_INPUT &&
                  strstr(err.text, refusals[i].says) && !strchr(err.text, '\n');

        tap_ok(ok, "refused: %s", err.text);
    }
    tap_ok(strcmp(text_of(&(struct fnp_case){ .mxcsr = FNP_MXCSR_DEFAULT,
                                              .fcw = FNP_FCW_DEFAULT },
                          false),
                  "v1") == 0,
           "without n the default case is \"v1\"");
}

/* Records and their text, fixed for ever: a change here breaks saved corpora. */
static const struct {
    const char *hex, *text;
} golden[] = {
    { "",                                                                               "v1 n=0"                                                         },
    { "01",                                                                             "v1 n=1"                                                         },
    { "fd0f0d000407",                                                                   "v1 n=4093 dst=13 lap=7"                                         },
    { "fd0f0d0002070001000000000700000000000000000000000000000000004080",
     "v1 n=4093 dst=13 overlap=-7 place=dst:end seed=7 mxcsr=9fc0"                                                                                       },
    { "40004040",                                                                       "v1 n=64 dst=0 src=0"                                            },
    { "40003f01000000000000000000000000000000000000000000000020",
     "v1 n=64 dst=63 src=1 third=32"                                                                                                                     },
    { "a08600000300000000000000000000000000000000000000000000000000000000000000000001",
     "v1 n=100000 overlap=0"                                                                                                                             },
    { "00000000010100000000000000000000000000000000000000000000000000000000000000000800"
      "0000000001",                                                                "v1 n=524288 overlap=65537"                                      },
    { "0500000000000000000000000000000000000000000000000000000000000000000000000000008"
      "0",                                                                         "v1 n=2147483653"                                                },
    { "45000000000000000000000000000000000000000000000000000000000000000000000000000000"
      "00000080",                                                                  "v1 n=9223372036854775877"                                       },
    { "ffff000002ffff00000000000000000000000000000000000000000000000000000000000000ffff"
      "ffffffffff7f",                                                              "v1 n=18446744073709551615 overlap=-2147483647"                  },
    { "b50a0d00050700000000000000000000ff01",                                           "v1 n=2741 dst=13 lap=-7 value=1ff"                              },
    { "0010000000000001020000000000000000000000000000000000000003",
     "v1 n=4096 place=dst:end,src:start,third:cross"                                                                                                     },
    { "00100000000000000005090000000000000000000000000000000000003f",
     "v1 n=4096 line=dst:5,src:9,third:63"                                                                                                               },
    { "500000000000000000000004ffffffff000000000000000000000000000000000000000001",
     "v1 n=80 field=low fill=snan seed=4294967295"                                                                                                       },
    { "5000000000000000000000070000000000000000000000000702ff00000000000000000002",
     "v1 n=80 field=split31 fill=inf upper=ones junk=255 repeat=7"                                                                                       },
    { "0300000000000000000000000000000033221100efbeadde00000000000000000000000000000000"
      "00000000000000000100000000000000ffffffffffffffff",                          "v1 n=3 value=deadbeef00112233 value2=1 value3=ffffffffffffffff" },
    { "1000000000000000000000000000000000000000000000000000000000007fe000010901",
     "v1 n=16 mxcsr=ffff fcw=27f x87=mmx ymm=1"                                                                                                          },
    { "100000000000000000000000000000000000000000000000000000000000801f7f0305",
     "v1 n=16 mxcsr=0 fcw=0 x87=5"                                                                                                                       },
    { "000000000000000000000000000000000000000000000000000000000000000000000001",
     "v1 n=0 ymm=1"                                                                                                                                      },
    { "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
      "ffffffffffffffffffffffffffffffffffffffffffffffffffff",                      "v1 n=18446744073709551615 dst=63 third=63 overlap=0 place=dst:cross,third:cross "
      "fill=inf seed=4294967295 value=ffffffffffffffff value2=ffffffffffffffff "
      "value3=ffffffffffffffff junk=255 repeat=7 mxcsr=e07f fcw=fc80 x87=5 ymm=1 "
      "huge=alias"                                                                     },
    { "000080c100000000",                                                               "v1 n=0 dst=0 src=1"                                             },
    { "0500000000000000000000080000",                                                   "v1 n=5 fill=tame"                                               },
    { "0500000000000000000000090000",                                                   "v1 n=5 fill=special"                                            },
    { "05000000000000000000000a0000",                                                   "v1 n=5 fill=ones"                                               },
    { "0500000009030000",                                                               "v1 n=5 overlap=0"                                               },
    { "0500070704000000",                                                               "v1 n=5 dst=7 src=7"                                             },
    { "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728"
      "292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f40",                          "v1 n=3182683917923058177 dst=3 third=28 lap=-774702854 place=third:end "
      "line=dst:10 field=low fill=snan seed=269422093 value=1817161514131211 "
      "value2=3837363534333231 value3=403f3e3d3c3b3a39 upper=ones junk=27 repeat=1 "
      "mxcsr=3f9f fcw=215e x87=5"                                                          },
    { "0a000000030900",                                                                 "v1 n=10 overlap=0"                                              },
    { "0000000000000000000000000000000000000000000000000000000000000000000000000003"
      "0000000001",                                                                "v1 n=281474976710656 huge=alias"                                },
    { "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
      "000000000000ff",                                                            "v1 n=0"                                                         },
};

static size_t bytes_of(const char *hex, unsigned char *out)
{
    size_t len = strlen(hex) / 2;

    for (size_t i = 0; i < len; i++) {
        char digits[3] = { hex[2 * i], hex[2 * i + 1], 0 };

        out[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return len;
}

static void test_golden(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(golden); i++) {
        unsigned char bytes[2 * FNP_CASE_BYTES], again[FNP_CASE_BYTES];
        size_t len = bytes_of(golden[i].hex, bytes);
        struct fnp_case decoded, parsed;
        bool ok = false;

        fnp_case_decode(bytes, len, &decoded);
        ok = strcmp(text_of(&decoded, true), golden[i].text) == 0 &&
             fnp_case_parse(golden[i].text, &parsed, NULL) == FNP_OK &&
             fnp_case_equal(&decoded, &parsed);
        len = fnp_case_encode(&decoded, again);
        fnp_case_decode(again, len, &parsed);
        tap_ok(ok && fnp_case_equal(&decoded, &parsed), "golden \"%s\" is \"%s\"",
               golden[i].hex, golden[i].text);
    }
}

/* A random record: often sparse, as engines make them, and of any length. */
static size_t random_record(struct fnp_rng *rng, unsigned char bytes[80])
{
    uint64_t shape = fnp_rng_next(rng);
    size_t len = shape % 81;

    for (size_t i = 0; i < len; i++) {
        uint64_t random = fnp_rng_next(rng);

        bytes[i] = shape >> 8 & 1 && random >> 8 & 3 ? 0 : (unsigned char)random;
    }
    return len;
}

static int sign(int n)
{
    return n < 0 ? -1 : n > 0;
}

static void test_properties(void)
{
    struct fnp_rng rng = { 1 };
    struct fnp_case last = fnp_case_default(), before = last;
    unsigned long text = 0, bytes = 0, canonical = 0, prefix = 0, order = 0, short_ = 0;

    for (unsigned i = 0; i < RANDOM_CASES; i++) {
        unsigned char record[80] = { 0 }, padded[96] = { 0 }, out[FNP_CASE_BYTES];
        struct fnp_case c, other;
        size_t len = random_record(&rng, record), used = 0;
        int ab = 0, bc = 0, ac = 0;

        fnp_case_decode(record, len, &c);
        other = c;
        fnp_case_canonical(&other);
        canonical += !fnp_case_equal(&c, &other);
        used = fnp_case_encode(&c, out);
        short_ += used > 0 && out[used - 1] == 0;
        fnp_case_decode(out, used, &other);
        bytes += !fnp_case_equal(&c, &other);
        memcpy(padded, record, len);
        fnp_case_decode(padded, len < 64 ? 64 + i % 33 : len, &other);
        prefix += !fnp_case_equal(&c, &other);
        text += fnp_case_parse(text_of(&c, true), &other, NULL) != FNP_OK ||
                !fnp_case_equal(&c, &other);
        ab = fnp_case_compare(&c, &last);
        bc = fnp_case_compare(&last, &before);
        ac = fnp_case_compare(&c, &before);
        order += sign(ab) != -sign(fnp_case_compare(&last, &c)) ||
                 (ab == 0) != fnp_case_equal(&c, &last) ||
                 (ab < 0 && bc < 0 && ac >= 0) || (ab > 0 && bc > 0 && ac <= 0) ||
                 fnp_case_compare(&c, &c) != 0;
        before = last;
        last = c;
    }
    tap_ok(canonical == 0, "decoding gives canonical cases, canonical is idempotent");
    tap_ok(bytes == 0 && short_ == 0, "decode(encode(c)) is c, without trailing zeros");
    tap_ok(prefix == 0, "a missing tail is zeros, an extra tail is ignored");
    tap_ok(text == 0, "parse(text(c)) is c, %d random cases", RANDOM_CASES);
    tap_ok(order == 0, "the order is total and agrees with equality");
}

/* Two cases differ when a single key differs: no field is missing from the order. */
static void test_every_key_counts(void)
{
    static const char *const other[] = {
        "n=1",       "dst=0",         "src=1",           "third=2",    "overlap=3",
        "lap=4",     "place=src:end", "place=dst:cross", "line=dst:1", "line=third:2",
        "field=low", "fill=inf",      "seed=1",          "value=1",    "value2=1",
        "value3=1",  "upper=zero",    "junk=1",          "repeat=1",   "mxcsr=0",
        "fcw=0",     "x87=1",         "ymm=1",           "overlap=-3", "lap=-4",
        "overlap=0", "huge=alias",
    };
    struct fnp_case usual = fnp_case_default();
    bool seen[32] = { false };
    size_t keys = 0;

    for (size_t i = 0; i < FNP_ARRAY_LEN(other); i++) {
        char text[64];
        struct fnp_case c;
        struct fnp_str str = fnp_str_over(text, sizeof(text));

        fnp_str_add(&str, "v1 %s", other[i]);
        tap_ok(fnp_case_parse(text, &c, NULL) == FNP_OK &&
                   fnp_case_compare(&usual, &c) < 0 && !fnp_case_equal(&usual, &c),
               "%s is larger than the default case", other[i]);
        seen[fnp_case_key_find(other[i], strcspn(other[i], "="))] = true;
    }
    while (keys < fnp_case_n_keys && seen[keys])
        keys++;
    tap_ok(keys == fnp_case_n_keys, "every key of the table was tried");
}

/* Damaged text is read or refused with one sentence, never anything else. */
static void test_damage(const char *name, const char *text, bool file)
{
    struct fnp_rng rng = { 3 };
    size_t len = strlen(text), refused = 0, odd = 0;

    for (unsigned i = 0; i < DAMAGED; i++) {
        char damaged[1024];
        size_t keep = i % 3 == 0 ? fnp_rng_below(&rng, len + 1) : len;
        struct fnp_err err = { { 0 } };
        struct fnp_case c;
        struct fnp_case_file f;
        enum fnp_status status = FNP_OK;

        memcpy(damaged, text, len);
        for (uint64_t flips = i % 3 ? 1 + fnp_rng_below(&rng, 3) : 0; flips > 0;
             flips--)
            damaged[fnp_rng_below(&rng, len)] ^= (char)(1 << fnp_rng_below(&rng, 8));
        damaged[keep] = 0;
        status = file ? fnp_case_file_parse("x.case", damaged, keep, &f, &err)
                      : fnp_case_parse(damaged, &c, &err);
        refused += status == FNP_INPUT;
        odd += status == FNP_OK ? err.text[0] != 0
                                : status != FNP_INPUT || err.text[0] == 0 ||
                                      strchr(err.text, '\n') != NULL;
    }
    tap_ok(odd == 0 && refused > DAMAGED / 4 && refused < DAMAGED,
           "damaged %s: read or one sentence (%zu of %d refused)", name, refused,
           DAMAGED);
}

#define HEAD  "fencepost-case 1\n"
#define WHOLE HEAD "kernel k\ncase v1 n=5\nexpect pass\n"

static const struct {
    const char *name, *text, *says; /* NULL: reads */
} files[] = {
    { "smallest",               WHOLE,                                                   NULL                                     },
    { "no newline at the end",  HEAD "kernel k\ncase v1\nexpect pass",                   NULL                                     },
    { "comments, blanks, CRLF",
     "# c\r\n" HEAD "\r\n  kernel k\r\n# c\r\ncase  v1 n=5 \r\nexpect\tpass\r\n",
     NULL                                                                                                                         },
    { "x- keys, also twice",    WHOLE "x-note a b\nx-note c\nx-\n",                      NULL                                     },
    { "slug",                   HEAD "kernel k\ncase v1\nexpect wrong-bytes\n",          NULL                                     },
    { "slug and region",        HEAD "kernel k\ncase v1\nexpect wrong-bytes@dst-head\n",
     NULL                                                                                                                         },
    { "empty",                  "",                                                      "x.case: empty"                          },
    { "only a comment",         "# fencepost-case 1\n",                                  "x.case: empty"                          },
    { "other version",          "fencepost-case 2\n",                                    "x.case:1: this version knows only"      },
    { "no first line",          "kernel k\n",                                            "x.case:1: a case file begins with"      },
    { "no kernel",              HEAD "case v1\nexpect pass\n",                           "\"kernel ...\" is missing"              },
    { "no case",                HEAD "kernel k\nexpect pass\n",                          "\"case ...\" is missing"                },
    { "no expect",              HEAD "kernel k\ncase v1\n",                              "\"expect ...\" is missing"              },
    { "two kernels",            WHOLE "kernel k\n",                                      "x.case:5: a second line for \"kernel\"" },
    { "unknown key",            WHOLE "expects pass\n",
     "x.case:5: unknown key \"expects\"; the nearest is expect"                                                                   },
    { "bad case",               HEAD "case v1 n=x\n",                                    "x.case:2: case key \"n\""               },
    { "nothing after kernel",   HEAD "kernel\n",                                         "nothing follows \"kernel\""             },
    { "unknown slug",           HEAD "expect wrong-byte\n",                              "nearest is wrong-bytes"                 },
    { "pass with region",       HEAD "expect pass@dst\n",                                "expect is pass, SLUG"                   },
    { "slug without region",    HEAD "expect crash@\n",                                  "expect is pass, SLUG"                   },
    { "control character",      HEAD "kernel a\001b\n",
     "x.case:2: this line holds control"                                                                                          },
};

static void test_files(void)
{
    struct fnp_case_file f, again;
    struct fnp_err err = { { 0 } };
    char text[2048], name[400] = "kernel ";
    struct fnp_str str = fnp_str_over(text, sizeof(text));

    for (size_t i = 0; i < FNP_ARRAY_LEN(files); i++) {
        enum fnp_status status;

        err.text[0] = 0;
        status = fnp_case_file_parse("x.case", files[i].text, strlen(files[i].text), &f,
                                     &err);
        tap_ok(files[i].says ? status == FNP_INPUT && strstr(err.text, files[i].says)
                             : status == FNP_OK && strcmp(f.kernel, "k") == 0,
               "case file, %s: %s", files[i].name, err.text);
    }
    f = (struct fnp_case_file){ .kernel = "builtin:memcpy_erms",
                                .contract = "proto = void f(void dst[n], size_t n)",
                                .expect = "stray-write@dst-tail",
                                .seen_on = "AuthenticAMD 25/33/0",
                                .c = fnp_case_default() };
    f.c.n = 77;
    fnp_case_file_text(&f, true, &str);
    tap_ok(fnp_case_file_parse("x.case", str.text, str.len, &again, &err) == FNP_OK &&
               strcmp(f.kernel, again.kernel) == 0 &&
               strcmp(f.contract, again.contract) == 0 &&
               strcmp(f.expect, again.expect) == 0 &&
               strcmp(f.seen_on, again.seen_on) == 0 && fnp_case_equal(&f.c, &again.c),
           "what is written reads back the same");
    test_damage("case file", str.text, true);
    memset(name + 7, 'a', sizeof(name) - 8);
    str = fnp_str_over(text, sizeof(text));
    fnp_str_add(&str, HEAD "%s\n", name);
    tap_ok(fnp_case_file_parse("x.case", str.text, str.len, &again, &err) ==
                   FNP_INPUT &&
               strstr(err.text, "too long"),
           "a kernel name longer than its field is refused");
    tap_ok(fnp_case_file_parse("x.case", WHOLE "\0kernel", sizeof(WHOLE "\0kernel"), &f,
                               &err) == FNP_INPUT,
           "a NUL byte is refused");
    tap_ok(fnp_case_file_read("/nonexistent/x.case", &f, &err) == FNP_INPUT,
           "a file that does not exist: %s", err.text);
    tap_ok(fnp_case_file_read("/", &f, &err) == FNP_INPUT, "a folder: %s", err.text);
}

int main(void)
{
    test_text();
    test_golden();
    test_properties();
    test_every_key_counts();
    test_damage("text",
                "v1 n=4093 dst=13 src=7 third=5 place=dst:end,src:start line=third:5 "
                "field=low fill=snan seed=77 value=1a5 upper=ones junk=9 repeat=1 "
                "mxcsr=9fc0 fcw=27f x87=mmx ymm=1",
                false);
    test_files();
    return tap_done();
}
