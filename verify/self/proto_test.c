/* SPDX-License-Identifier: MIT */
/*
 * proto_test.c - prototypes and what is read out of them
 *
 * A good row says what the prototype means in one line: each parameter by kind, then
 * each buffer, then the sizes.  A bad row says what the sentence must hold.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "subject/proto.h"
#include "verify/self/tap.h"

static void describe_param(const struct fnp_param *p, struct fnp_str *out)
{
    const char *sign = p->is_signed ? "s" : "u";

    switch (p->kind) {
    case FNP_PARAM_BUF:
        fnp_str_add(out, "buf%u ", p->buf);
        break;
    case FNP_PARAM_LEN:
        fnp_str_add(out, "len:%s%u/%llu ", sign, p->width,
                    (unsigned long long)p->divisor);
        break;
    case FNP_PARAM_VALUE:
        fnp_str_add(out, "val%u:%s%u ", p->value, sign, p->width);
        break;
    case FNP_PARAM_CONST:
        fnp_str_add(out, "%llx:%u ", (unsigned long long)p->constant, p->width);
        break;
    }
}

/* "buf0 buf1 len:u8/1 | dst w 1n+0 src r 1n+0 | 0:-:1 | ptr" */
static void describe(const struct fnp_contract *c, struct fnp_str *out)
{
    static const char *const roles[] = { "dst", "src", "third" };

    for (size_t i = 0; i < c->n_params; i++) {
        describe_param(&c->params[i], out);
    }
    fnp_str_add(out, "|");
    for (size_t i = 0; i < c->n_bufs; i++) {
        const struct fnp_buf *b = &c->bufs[i];

        fnp_str_add(out, " %s %s%s %llun+%llu", roles[b->role], b->reads ? "r" : "",
                    b->writes ? "w" : "", (unsigned long long)b->mul,
                    (unsigned long long)b->add);
    }
    fnp_str_add(out, " | %llx:%llu |", (unsigned long long)c->sizes.most,
                (unsigned long long)c->sizes.step);
    fnp_str_add(out,
                c->returns_void      ? " void"
                : c->returns_pointer ? " ptr"
                                     : " int%u",
                c->returns_width);
}

#define ALL "ffffffffffffffff"

/* 40 and 200 characters. */
#define N40  "a_function_name_of_forty_characters_long"
#define N200 N40 N40 N40 N40 N40

static const struct {
    const char *proto, *means;
} good[] = {
    { "void *memcpy(void dst[n], const void src[n], size_t n)",
     "buf0 buf1 len:u8/1 | dst w 1n+0 src r 1n+0 | " ALL ":1 | ptr"                                                     },
    { "void f(void d[4096], void const s[4096]);",
     "buf0 buf1 | dst w 0n+4096 src r 0n+4096 | 0:1 | void"                                                             },
    { "void  f ( void d [ 2 * n + 16 ] , size_t n )",
     "buf0 len:u8/1 | dst w 2n+16 | " ALL ":1 | void"                                                                   },
    { "void f(uint32_t d[n*2], const uint32_t s[2*n], size_t n)",
     "buf0 buf1 len:u8/1 | dst w 8n+0 src r 8n+0 | " ALL ":1 | void"                                                    },
    { "void f(void d[n + n*3 + 1 + 2*4], size_t n)",
     "buf0 len:u8/1 | dst w 4n+9 | " ALL ":1 | void"                                                                    },
    { "void f(unsigned char d[count], int c, unsigned long count)",
     "buf0 val0:s4 len:u8/1 | dst w 1n+0 | " ALL ":1 | void"                                                            },
    { "int f(void d[len], int len)",                                   "buf0 len:s4/1 | dst w 1n+0 | 7fffffff:1 | int4" },
    { "int f(void d[n], uint8_t n)",                                   "buf0 len:u1/1 | dst w 1n+0 | ff:1 | int4"       },
    { "void f(void d[n], unsigned n/8)",
     "buf0 len:u4/8 | dst w 1n+0 | 7fffffff8:8 | void"                                                                  },
    { "void f(void d[n], size_t n/8)",
     "buf0 len:u8/8 | dst w 1n+0 | " ALL ":8 | void"                                                                    },
    { "void f(inout void d[n], void e[n], const void s[n], size_t n)",
     "buf0 buf1 buf2 len:u8/1 | dst rw 1n+0 third w 1n+0 src r 1n+0 | " ALL
      ":1 | void"                                                                                                       },
    { "void f(void d[n], const void a[n], const void b[n], size_t n)",
     "buf0 buf1 buf2 len:u8/1 | dst w 1n+0 src r 1n+0 third r 1n+0 | " ALL
      ":1 | void"                                                                                                       },
    { "void f(const char s[16], volatile char d[16])",
     "buf0 buf1 | src r 0n+16 dst w 0n+16 | 0:1 | void"                                                                 },
    { "void f(void d[64], 0, 4096, -1, int 7, void *0)",
     "buf0 0:8 1000:8 ffffffffffffffff:8 7:4 0:8 | dst w 0n+64 | 0:1 | void"                                            },
    { "void f(void d[64], int a, short b, unsigned char c)",
     "buf0 val0:s4 val1:s2 val2:u1 | dst w 0n+64 | 0:1 | void"                                                          },
    { "unsigned long long f(long long int d[n], long int n)",
     "buf0 len:s8/1 | dst w 8n+0 | 7fffffffffffffff:1 | int8"                                                           },
    { "const char *f(char d[64])",                                     "buf0 | dst w 0n+64 | 0:1 | ptr"                 },
    { "size_t f(u64 d[n], size_t n)",                                  "buf0 len:u8/1 | dst w 8n+0 | " ALL ":1 | int8"  },
    { "int16_t f(wchar_t d[n], size_t n)",
     "buf0 len:u8/1 | dst w 4n+0 | " ALL ":1 | int2"                                                                    },
    { "void " N40 "(void d[n], size_t n)",
     "buf0 len:u8/1 | dst w 1n+0 | " ALL ":1 | void"                                                                    },
    { "void *" N200 "(void d[8])",                                     "buf0 | dst w 0n+8 | 0:1 | ptr"                  },
    { "void f(void a_name_that_has_31_characters_x[8])",
     "buf0 | dst w 0n+8 | 0:1 | void"                                                                                   },
    { "void f(void d[0x10])",                                          "buf0 | dst w 0n+16 | 0:1 | void"                },
};

static const struct {
    const char *proto, *says;
} bad[] = {
    { "void *memcpy(void *dst, const void src[n], size_t n)",
     "pointer \"dst\" has no extent; write \"void dst[n]\""                                                              },
    { "void f(void d[n], const void s[m], size_t n)",
     "extents use two variables, \"n\" and \"m\""                                                                        },
    { "void f(void *d[n], size_t n)",                                   "write the extent without '*'"                   },
    { "void f(void d[n])",                                              "a variable that no parameter passes: \"n\""     },
    { "void f(void d[n*n], size_t n)",                                  "by itself: \"n\""                               },
    { "void f(void d[n-1], size_t n)",                                  "sum of products, without '-'"                   },
    { "void f(void d[n/2], size_t n)",                                  "sum of products, without '-'"                   },
    { "void f(void d[h @ stride][w], size_t h, size_t w)",              "2-D extents"                                    },
    { "void f(void d[4][4])",                                           "2-D extents"                                    },
    { "void f(void d[], size_t n)",                                     "expected a number or the size variable"         },
    { "void f(void d[0])",                                              "an empty buffer: \"d\""                         },
    { "void f(float d[4])",                                             "floating point cannot be passed yet: \"float\"" },
    { "void f(void d[n], double x, size_t n)",                          "floating point"                                 },
    { "void f(struct page d[1])",                                       "instead of \"struct\""                          },
    { "void f(unt8_t d[n], size_t n)",
     "unknown type \"unt8_t\"; nearest is \"int8_t\""                                                                    },
    { "void f(size_t n)",                                               "no output"                                      },
    { "void f(const void s[n], size_t n)",                              "no output"                                      },
    { "void f(void)",                                                   "expected a parameter's name, found \")\""       },
    { "void f()",                                                       "expected a type, found \")\""                   },
    { "void f",                                                         "expected \"(\""                                 },
    { "",                                                               "expected a type, found the end"                 },
    { "void",                                                           "expected the function's name, found the end"    },
    { "f(void d[4])",                                                   "unknown type \"f\""                             },
    { "void f(void d[4]",                                               "found the end"                                  },
    { "void f(void d[4]) x",                                            "expected nothing more"                          },
    { "void f(void d[4], int)",                                         "expected a parameter's name"                    },
    { "void f(void d[4], int x, int x)",                                "two parameters are named \"x\""                 },
    { "void f(void d[4], void x)",                                      "a parameter of type void: \"x\""                },
    { "void f(void d[4], inout int x)",                                 "inout is for buffers"                           },
    { "void f(const inout void d[4])",                                  "const and inout exclude"                        },
    { "void f(void d[4], int x/8)",
     "only the size variable may be divided, not \"x\""                                                                  },
    { "void f(void d[n], size_t n/0)",                                  "at least 1"                                     },
    { "void f(void d[4], int a, int b, int c, int e)",                  "at most three value"                            },
    { "void f(void a[4], void b[4], void c[4])",                        "at most two outputs"                            },
    { "void f(void a[4], void b[4], const void c[4], const void e[4])",
     "at most three buffers"                                                                                             },
    { "void f(void a[4],0,0,0,0,0,0,0,0,0,0,0,0)",                      "more than 12 parameters"                        },
    { "void f(void d[18446744073709551616])",                           "not a number"                                   },
    { "void f(uint64_t d[0x4000000000000000])",                         "does not fit 64 bits"                           },
    { "void f(void d[0x8000000000000000*2])",                           "does not fit 64 bits"                           },
    { "void f(long char d[4])",                                         "no type of C stands before \"d\""               },
    { "void f(short long d[4])",                                        "no type of C"                                   },
    { "void f(unsigned size_t d[4])",                                   "surplus \"size_t\""                             },
    { "void f(int int d[4])",                                           "surplus \"int\""                                },
    { "void f(signed unsigned d[4])",                                   "no type of C"                                   },
    { "void f(void a_name_of_more_than_thirty_one_bytes[4])",           "too long a name"                                },
    { "void " N200 "x(void d[4])",                                      "too long a name"                                },
    { "void " N40 "(void " N40 "[4])",                                  "too long a name"                                },
    { "void " N40 "(void d[" N40 "], size_t n)",                        "too long a name"                                },
    { "void f(void d[4], " N40 " x)",                                   "too long a name"                                },
    { "" N40 " f(void d[4])",                                           "unknown type \"" N40 "\""                       },
    { "void f(void d[4], ...)",                                         "expected a type, found \".\""                   },
    { "void f(void (*d)(int))",                                         "expected a parameter's name, found \"(\""       },
};

int main(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(good); i++) {
        struct fnp_contract c = { 0 };
        struct fnp_err err = { 0 };
        char text[512];
        struct fnp_str out = fnp_str_over(text, sizeof(text));
        enum fnp_status status = fnp_proto_parse(good[i].proto, "here", &c, &err);

        describe(&c, &out);
        tap_ok(!status && !strcmp(text, good[i].means), "%s: %s%s", good[i].proto, text,
               err.text);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(bad); i++) {
        struct fnp_contract c = { 0 };
        struct fnp_err err = { 0 };
        enum fnp_status status = fnp_proto_parse(bad[i].proto, "here", &c, &err);

        tap_ok(status == FNP_INPUT && !strncmp(err.text, "here: proto: ", 13) &&
                   strstr(err.text, bad[i].says),
               "%s: %s", bad[i].proto, err.text);
    }
    return tap_done();
}
