/* SPDX-License-Identifier: MIT */
/*
 * program.h - a C program with every kind of code and data, and what it computes
 *
 * Depends on: nothing.
 */
#ifndef FNP_VERIFY_SELF_PROGRAM_H
#define FNP_VERIFY_SELF_PROGRAM_H

/* C code of every kind of model, run: what it computes shows that all of it was found. */
static const char program[] =
    "static int local = 5; int global = 7; int common; static int zero[100];\n"
    "static const char word[] = \"abc\"; static int twice(int x) { return 2 * x; }\n"
    "static int thrice(int x) { return 3 * x; }\n"
    "static int (*const table[])(int) = { twice, thrice };\n"
    "static const char *const words[] = { \"one\", \"three\", word };\n"
    "__attribute__((noinline)) int outer(int x) { return x + global; }\n"
    "int f(int x) {\n"
    "  const volatile char *w = words[x % 3]; int s = 0;\n"
    "  switch (x) { case 0: s = 10; break; case 1: s = 21; break; case 2: s = 32; "
    "break;\n"
    "    case 3: s = 43; break; case 4: s = outer(54); break; case 5: s = 65; break;\n"
    "    default: s = -1; }\n"
    "  common += x; zero[x]++; local++;\n"
    "  while (*w) s += *w++;\n"
    "  return s + table[x & 1](x) + common + zero[x] + local * 1000; }\n"
    "int reference_sum(void) { int s = 0; for (int x = 0; x < 6; x++) s = s * 7 + "
    "f(x);\n"
    "  return s; }\n";

/* What the same program gives when it is computed by hand: see want_program. */
static inline int want_program(void)
{
    static const char *const words[] = { "one", "three", "abc" };
    static const int bases[] = { 10, 21, 32, 43, 54 + 7, 65 };
    int common = 0, local = 5, sum = 0;

    for (int x = 0; x < 6; x++) {
        int s = bases[x];

        common += x;
        local++;
        for (const char *w = words[x % 3]; *w; w++) {
            s += *w;
        }
        sum = sum * 7 + s + (x & 1 ? 3 : 2) * x + common + 1 + local * 1000;
    }
    return sum;
}

#endif
