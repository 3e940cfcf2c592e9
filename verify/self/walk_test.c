/* SPDX-License-Identifier: MIT */
/*
 * walk_test.c - what a walk over code that never runs finds: fences and lost registers
 *
 * One row, one function; all are assembled for both widths.  %rdi and the like are
 * written as D, S, N, B (rbx), A and T (the stack pointer).
 */
#include <stdlib.h>
#include <string.h>

#include "subject/image.h"
#include "trace/unfenced.h"
#include "trace/unsaved.h"
#include "verify/self/assemble.h"
#include "verify/self/tap.h"

#define REGISTERS                                                                      \
    "#ifdef __x86_64__\n"                                                              \
    "#define D %rdi\n#define S %rsi\n#define N %rdx\n#define B %rbx\n#define A %rax\n" \
    "#define T %rsp\n#define C %rcx\n"                                                 \
    "#else\n"                                                                          \
    "#define D %edi\n#define S %esi\n#define N %edx\n#define B %ebx\n#define A %eax\n" \
    "#define T %esp\n#define C %ecx\n"                                                 \
    "#endif\n"

/* Functions that rows call. */
#define HELPERS                                                                        \
    "fences: sfence\n ret\n"                                                           \
    "passes: test N,N\n je 1f\n sfence\n 1: ret\n"                                     \
    "stores: movnti A,(D)\n ret\n"                                                     \
    "stores_fenced: movnti A,(D)\n sfence\n ret\n"                                     \
    "deep: call fences\n ret\n"                                                        \
    "round: test N,N\n je 1f\n call round\n 1: ret\n"

static const struct {
    const char *code;
    unsigned sites, dirty;
    bool never; /* no way from the worst site has a fence */
} fences[] = {
    { "mov A,(D)\n ret",                                                        0, 0, false },
    { "movnti A,(D)\n ret",                                                     1, 1, true  },
    { "movnti A,(D)\n sfence\n ret",                                            1, 0, false },
    { "movnti A,(D)\n mfence\n ret",                                            1, 0, false },
    { "movnti A,(D)\n lfence\n ret",                                            1, 1, true  },
    { "movnti A,(D)\n lock; orl $0,(T)\n ret",                                  1, 0, false },
    { "movnti A,(D)\n xchg A,(S)\n ret",                                        1, 0, false },
    { "movnti A,(D)\n xchg A,S\n ret",                                          1, 1, true  },
    { "movnti A,(D)\n cmpxchg S,(D)\n ret",                                     1, 1, true  },
    { "sfence\n movnti A,(D)\n ret",                                            1, 1, true  },
    { "movnti A,(D)\n sfence\n movnti A,(S)\n ret",                             2, 1, true  },
    { "movnti A,(D)\n sfence\n mov A,(S)\n ret",                                1, 0, false },
    { "1: movnti A,(D)\n sfence\n dec N\n jnz 1b\n ret",                        1, 0, false },
    { "1: sfence\n movnti A,(D)\n dec N\n jnz 1b\n ret",                        1, 1, true  },
    { "test N,N\n je 1f\n movnti A,(D)\n sfence\n 1: ret",                      1, 0, false },
    { "test N,N\n je 1f\n movnti A,(D)\n 1: sfence\n ret",                      1, 0, false },
    { "movnti A,(D)\n test N,N\n je 1f\n sfence\n 1: ret",                      1, 1, false },
    { "test N,N\n je 1f\n movnti A,(D)\n sfence\n ret\n 1: movnti A,(D)\n ret", 2, 1,
     true                                                                                   },
    { "movnti A,(D)\n jmp 1f\n sfence\n 1: ret",                                1, 1, true  },
    { "movnti A,(D)\n call fences\n ret",                                       1, 0, false },
    { "movnti A,(D)\n call deep\n ret",                                         1, 0, false },
    { "movnti A,(D)\n call passes\n ret",                                       1, 1, true  },
    { "movnti A,(D)\n call round\n ret",                                        1, 1, true  },
    { "movnti A,(D)\n jmp fences",                                              1, 0, false },
    { "movnti A,(D)\n jmp passes",                                              1, 1, false },
    { "call stores\n ret",                                                      1, 1, true  },
    { "call stores\n sfence\n ret",                                             1, 0, false },
    { "call stores_fenced\n ret",                                               1, 0, false },
    { "call stores\n call stores\n call fences\n ret",                          1, 0, false },
    { "call stores\n call fences\n call stores\n ret",                          1, 1, false },
    { "movnti A,(D)\n ud2",                                                     1, 0, false },
    { "movnti A,(D)\n call nobody",                                             1, 0, false },
    { "movnti A,(D)\n rep stosb\n ret",                                         1, 1, true  },
    { "movnti A,(D)\n clflush (D)\n ret",                                       1, 1, true  },
    { "movnti A,(D)\n pause\n prefetchnta (D)\n rdtsc\n ret",                   1, 1, true  },
    { "maskmovdqu %xmm0,%xmm1\n ret",                                           1, 1, true  },
    { "maskmovq %mm0,%mm1\n emms\n ret",                                        1, 1, true  },
    { "movntq %mm0,(D)\n sfence\n emms\n ret",                                  1, 0, false },
    { "vmovntdq %ymm0,(D)\n vzeroupper\n ret",                                  1, 1, true  },
    { "vmovntdq %ymm0,(D)\n sfence\n vzeroupper\n ret",                         1, 0, false },
    { "vmovntdq %zmm0,(D)\n ret",                                               1, 1, true  },
    { "movntss %xmm0,(D)\n ret",                                                1, 1, true  },
    { "clzero\n ret",                                                           1, 1, true  },
    { "movdiri A,(D)\n ret",                                                    1, 1, true  },
    { "movdir64b (S),D\n ret",                                                  1, 1, true  },
    { "movntdqa (S),%xmm0\n movdqa %xmm0,(D)\n ret",                            0, 0, false },
    { "movnti A,(D)\n cpuid\n ret",                                             1, 0, false },
    { "movnti A,(D)\n .byte 0x0f,0xae,0xff\n ret",                              1, 0, false },
    { "movnti A,(D)\n call *C\n sfence\n ret",                                  1, 1, false },
    { "movnti A,(D)\n jmp *C",                                                  1, 0, false }, /* not known, which is told apart */
};

static const struct {
    const char *code;
    bool lost; /* rbx or rbp is */
} saves[] = {
    { "mov S,B\n ret",                                                              true  },
    { "xor B,B\n ret",                                                              true  },
    { "movzbl (S),%ebx\n ret",                                                      true  },
    { "pop B\n ret",                                                                true  },
    { "mov $1,%bl\n ret",                                                           true  },
    { "test N,N\n je 1f\n mov S,B\n 1: ret",                                        true  },
    { "test N,N\n jne 1f\n ret\n 1: mov S,B\n jmp fences",                          true  },
    { "push B\n mov S,B\n pop B\n ret",                                             false },
    { "mov B,C\n mov S,B\n mov C,B\n ret",                                          false },
    { "mov B,-8(T)\n mov S,B\n mov -8(T),B\n ret",                                  false },
    { "xchg B,C\n xchg B,C\n ret",                                                  false },
    { "add $1,B\n sub $1,B\n ret",                                                  false },
    { "cmovne S,B\n ret",                                                           false },
    { "sbb B,B\n ret",                                                              true  },
    { "test N,N\n je 1f\n push B\n 1: test N,N\n je 2f\n mov S,B\n pop B\n 2: ret",
     false                                                                                },
    { "call fences\n mov S,B\n ret",                                                false },
    { "mov S,B\n ud2",                                                              false },
    { "mov S,B\n call nobody",                                                      false },
    { "jmp *C\n mov S,B\n ret",                                                     false },
    { "mov S,N\n mov N,A\n ret",                                                    false },
};

enum {
    N_FENCES = sizeof(fences) / sizeof(fences[0]),
    N_SAVES = sizeof(saves) / sizeof(saves[0]),
    TEXT = 65536
};

static char *make(bool is32)
{
    static char text[TEXT];
    const char *const options[] = { is32 ? "-m32" : "-m64", NULL };
    size_t at = (size_t)snprintf(text, sizeof(text), "%s", REGISTERS ".text\n" HELPERS);

    for (size_t i = 0; i < N_FENCES + N_SAVES; i++)
        at += (size_t)snprintf(
            text + at, sizeof(text) - at,
            ".globl f%zu\n.type f%zu,@function\nf%zu: %s\n.size f%zu, . - f%zu\n", i, i,
            i, i < N_FENCES ? fences[i].code : saves[i - N_FENCES].code, i, i);
    return assemble(text, ".S", options);
}

/* "movnti A,(D); ret" */
static const char *in_one_line(const char *code)
{
    static char line[256];
    size_t n = 0;

    for (; *code && n + 2 < sizeof(line); code++) {
        if (*code == '\n')
            line[n++] = ';';
        else
            line[n++] = *code;
    }
    line[n] = '\0';
    return line;
}

static void test_row(struct fnp_arena *arena, const struct fnp_object *object, size_t i)
{
    struct fnp_err err = { "" };
    struct fnp_image image;
    struct fnp_insns insns = { .arena = arena, .image = &image };
    struct fnp_unfenced u;
    struct fnp_unsaved lost;
    struct fnp_walk walk;
    char name[16];

    snprintf(name, sizeof(name), "f%zu", i);
    if (fnp_image_load(arena, object, name, NULL, 0, &image, &err) != FNP_OK) {
        tap_ok(false, "%s: %s", name, err.text);
        return;
    }
    fnp_walk_make(&insns, &walk);
    if (i < N_FENCES) {
        fnp_unfenced_find(&walk, &u);
        tap_ok(u.n_sites == fences[i].sites && u.n_dirty == fences[i].dirty &&
                   (!u.n_dirty || u.never == fences[i].never) && !u.on_stack,
               "%s: %u of %u, want %u%s%s", in_one_line(fences[i].code), u.n_dirty,
               u.n_sites, fences[i].dirty, u.never ? ", no fence at all" : "",
               image.is32 ? " (32 bit)" : "");
    } else {
        bool found = fnp_unsaved_find(&walk, 1u << FNP_RBX | 1u << FNP_RBP, &lost);

        tap_ok(found == saves[i - N_FENCES].lost &&
                   (!found || (lost.reg == FNP_RBX && lost.insn >= image.entry)),
               "%s: %s%s", in_one_line(saves[i - N_FENCES].code),
               found ? "lost" : "not lost", image.is32 ? " (32 bit)" : "");
    }
}

/* An indirect jump is known as far as somebody has seen it go. */
static void test_seen(struct fnp_arena *arena, const struct fnp_object *object)
{
    struct fnp_err err = { "" };
    struct fnp_image image;
    struct fnp_insns insns = { .arena = arena, .image = &image };
    struct fnp_unfenced u;
    struct fnp_walk walk;
    char name[16];
    uint64_t jump;

    snprintf(name, sizeof(name), "f%u", N_FENCES - 1);
    if (fnp_image_load(arena, object, name, NULL, 0, &image, &err) != FNP_OK) {
        tap_ok(false, "%s: %s", name, err.text);
        return;
    }
    fnp_walk_make(&insns, &walk);
    jump = walk.n_blocks ? walk.blocks[0].last : 0;
    tap_ok(walk.n_unknown == 1 && walk.unknown == jump, "an indirect jump is unknown");
    fnp_insns_go(&insns, jump, 0);
    fnp_walk_make(&insns, &walk);
    fnp_unfenced_find(&walk, &u);
    tap_ok(u.n_dirty == 1 && u.unreached == image.entry && u.out == jump,
           "it was seen to leave, with a weak store behind it");
    fnp_insns_step(&insns, image.entry);
    fnp_unfenced_find(&walk, &u);
    tap_ok(u.n_dirty == 1 && u.unreached == 0, "all of it ran");
}

static void test_width(struct fnp_arena *arena, bool is32)
{
    struct fnp_err err = { "" };
    struct fnp_object object;
    char *path = make(is32);

    if (!path || fnp_object_read(arena, path, &object, &err) != FNP_OK) {
        tap_ok(is32 && !path, "rows of %u bits assemble %s", is32 ? 32 : 64, err.text);
        return;
    }
    for (size_t i = 0; i < N_FENCES + N_SAVES; i++)
        test_row(arena, &object, i);
    test_seen(arena, &object);
    free(path);
}

int main(void)
{
    struct fnp_arena arena = { 0 };

    if (!assemble_begin()) {
        tap_ok(true, "snippets # SKIP no C compiler");
        return tap_done();
    }
    test_width(&arena, false);
    test_width(&arena, true);
    assemble_done();
    fnp_arena_release(&arena);
    return tap_done();
}
