/* SPDX-License-Identifier: MIT */
/*
 * recorder_rows_test.c - one kernel for each thing that code can do, in the copy
 *
 * recorder_rows.def has the code and what is expected of it.  Besides: kernels from an
 * archive, from a shared object with calls by way of its tables, with absolute 32-bit
 * addresses, with code in two segments, and with code that can be written to.
 */
#include <stdlib.h>
#include <string.h>

#include "verify/self/ar.h"
#include "verify/self/assemble.h"
#include "verify/self/recorded.h"
#include "verify/self/tap.h"
#include "x86/cpuid.h"

#define SAME   NULL
#define UNSEEN "(unseen)"
#define LEFT   "(left)"

static const struct row {
    unsigned bits;
    const char *name, *expected, *feature, *code;
} rows[] = {
#define ROW(bits, name, expected, feature, code)                                       \
    { bits, #name, expected, feature, code },
#include "verify/self/recorder_rows.def"
#undef ROW
};

static struct recorded r;

/* ---- kernels */

static char *join(unsigned bits)
{
    char *text = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        const struct row *row = &rows[i];
        const char *set_up =
            bits == 32 ? "mov 4(%esp), %edi; mov 8(%esp), %esi; mov 12(%esp), %edx;"
                       : "";

        if (row->bits == bits)
            fprintf(file,
                    ".globl row_%s\n.type row_%s, @function\nrow_%s: %s %s\n"
                    ".size row_%s, . - row_%s\n",
                    row->name, row->name, row->name, set_up, row->code, row->name,
                    row->name);
    }
    fclose(file);
    return text;
}

static char *word(const char *path, const char *symbol)
{
    char *out = NULL;

    if (!path || asprintf(&out, "%s:%s", path, symbol) < 0)
        fnp_die("%s was not made", symbol);
    return out;
}

/* The index of the kernel whose name ends like this. */
static size_t find(const char *symbol)
{
    for (size_t i = 0; i < r.kernels.count; i++) {
        const char *name = strrchr(r.kernels.list[i].name, ':');

        if (name && strcmp(name + 1, symbol) == 0)
            return i;
    }
    return SIZE_MAX;
}

static struct fnp_case a_case(void)
{
    struct fnp_case c = fnp_case_default();

    c.n = 256;
    fnp_case_canonical(&c);
    return c;
}

/* ---- rows */

static bool lacks(const char *feature)
{
    return feature[0] && !(fnp_cpu_features() >> fnp_feature_find(feature) & 1);
}

static bool as_expected(const struct row *row, enum recorded_answer answer,
                        const char *why)
{
    if (row->expected == SAME || strcmp(row->expected, UNSEEN) == 0)
        return answer == RECORDED_SAME;
    /* A privileged instruction faults, and where it is left out nothing does. */
    if (strcmp(row->expected, LEFT) == 0)
        return answer == RECORDED_DIFFERENT && r.native.end == FNP_END_FAULT &&
               r.copy.end == FNP_END_RETURNED;
    return answer == RECORDED_NOT && strcmp(why, row->expected) == 0;
}

static void test_row(const struct row *row)
{
    char symbol[64], why[RECORDED_WHY] = "";
    const struct fnp_case c = a_case();
    unsigned what = RECORDED_STACK | (row->expected == SAME ? RECORDED_STEPS : 0);
    enum recorded_answer answer;
    size_t i;

    snprintf(symbol, sizeof(symbol), "row_%s", row->name);
    i = find(symbol);
    if (lacks(row->feature)) {
        tap_ok(true, "%s # skip no %s", row->name, row->feature);
        return;
    }
    if (i == SIZE_MAX) {
        tap_ok(false, "%s is no kernel", row->name);
        return;
    }
    recorded_aim(&r, i);
    answer = recorded_try(&r, i, &c, what, why);
    tap_ok(as_expected(row, answer, why), "%s: %s", row->name, why);
    if (answer == RECORDED_SAME && r.native.end != FNP_END_SYSCALL)
        tap_ok(recorded_cover(&r, i, &c, why), "%s: coverage %s", row->name, why);
}

/* ---- objects of other kinds */

static const char two_functions[] =
    "int helper(const unsigned char *p, int n); extern int (*hook)(int);\n"
    "static int twice(int x) { return 2 * x; }\n"
    "int (*hook)(int) = twice;\n"
    "__attribute__((noinline)) int helper(const unsigned char *p, int n)\n"
    "{ int s = 0; while (n--) s += p[n]; return s; }\n"
    "void shared(unsigned char *d, const unsigned char *s, unsigned long n);\n"
    "void shared(unsigned char *d, const unsigned char *s, unsigned long n)\n"
    "{ for (unsigned long i = 0; i < n; i++) d[i] = (unsigned char)(s[i] +\n"
    "  hook(helper(s, (int)(i % 5)))); }\n";

static const char absolute[] =
    ".globl narrow\n.type narrow, @function\n"
    "narrow: mov $1f, %eax; jmp *%rax; ud2; 1: jmp *9f; ud2;\n"
    "2: ret; .data; 9: .quad 2b\n";

static const char two_segments[] =
    ".globl parts\n.type parts, @function\nparts: call other; call other; ret\n"
    ".section .text.other, \"ax\"\n.balign 4096\nother: incq (%rdi); ret\n";

static const char writable[] =
    ".section .wx, \"awx\"\n.globl changes\n.type changes, @function\n"
    "changes: movb $0xc3, 1f(%rip)\n1: ud2\n";

static const char member_one[] = ".globl first\n.type first, @function\n"
                                 "first: call second; ret\n";
static const char member_two[] = ".globl second\n.type second, @function\n"
                                 "second: mov (%rsi), %rax; mov %rax, (%rdi); ret\n";

/* An archive of two objects, as ar makes it, without a table. */
static char *archive(void)
{
    static const char *const texts[] = { member_one, member_two };
    static const char *const names[] = { "one.o/", "two.o/" };
    struct fnp_arena arena = { 0 };
    struct fnp_err err = { "" };
    struct ar ar;
    char *path = assemble(two_segments, ".S", NULL);
    FILE *file;

    ar_begin(&ar, "!<arch>\n");
    for (size_t i = 0; i < FNP_ARRAY_LEN(texts); i++) {
        struct fnp_object object;
        char *member = assemble(texts[i], ".S", NULL);

        if (!member || fnp_object_read(&arena, member, &object, &err))
            fnp_die("no member: %s", err.text);
        ar_add(&ar, names[i], object.bytes, object.len);
        free(member);
    }
    fclose(ar.file);
    file = path ? fopen(path, "w") : NULL;
    if (!file || fwrite(ar.bytes, 1, ar.len, file) != ar.len || fclose(file))
        fnp_die("no archive");
    free(ar.bytes);
    fnp_arena_release(&arena);
    return path;
}

static void test_object(const char *symbol, const char *refused)
{
    const struct row row = { .name = symbol, .expected = refused, .feature = "" };
    char why[RECORDED_WHY] = "";
    const struct fnp_case c = a_case();
    size_t i = find(symbol);

    if (i == SIZE_MAX) {
        tap_ok(false, "%s is no kernel", symbol);
        return;
    }
    recorded_aim(&r, i);
    enum recorded_answer answer =
        recorded_try(&r, i, &c, RECORDED_STACK | RECORDED_STEPS, why);

    tap_ok(as_expected(&row, answer, why), "%s: %s", symbol, why);
}

int main(void)
{
    static const char *const m32[] = { "-m32", NULL };
    static const char *const pic[] = { "-fPIC", "-O1", "-fno-stack-protector", NULL };
    static const char *const keys[] = {
        "proto", "void f(void dst[n], const void src[n], size_t n)", "op", "copy"
    };
    const char *names[8];
    size_t n = 0;

    if (!assemble_begin())
        fnp_die("no compiler");
    names[n++] = word(assemble(join(64), ".S", NULL), "row_*");
    names[n++] = word(assemble(join(32), ".S", m32), "row_*");
    names[n++] = word(assemble_as("-shared", two_functions, ".c", pic), "shared");
    names[n++] = word(assemble(absolute, ".S", NULL), "narrow");
    names[n++] = word(assemble(two_segments, ".S", NULL), "parts");
    names[n++] = word(assemble(writable, ".S", NULL), "changes");
    names[n++] = word(archive(), "first");
    const struct fnp_request request = {
        .names = names, .n_names = n, .keys = keys, .n_keys = 2
    };

    recorded_open(&r, &request);
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++)
        test_row(&rows[i]);
    test_object("shared", NULL);
    test_object("narrow", NULL);
    test_object("parts", NULL);
    test_object("first", NULL);
    test_object("changes", "code that can be written to");
    recorded_close(&r);
    assemble_done();
    return tap_done();
}
