/* SPDX-License-Identifier: MIT */
/*
 * main.c - finds the command a command line asks for and runs it
 *
 * To add a command: a row in the table, a cmd_<command>.c, a line in cli.h.
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const struct fnp_command commands[] = {
    { "verify",   "run kernels and judge everything they do",           fnp_cmd_verify  },
    { "replay",   "run one case again, or write it as a C program",     fnp_cmd_replay  },
    { "survey",   "say at which values of a key what breaks",           fnp_cmd_survey  },
    { "trace",    "print every instruction and access of one case",     fnp_cmd_trace   },
    { "cover",    "show which code the recorded cases reach",           fnp_cmd_cover   },
    { "contract", "print the contract of a kernel as an INI section",
     fnp_cmd_contract                                                                   },
    { "list",     "name kernels, or the functions of an object file",   fnp_cmd_list    },
    { "explain",  "say what a finding means",                           fnp_cmd_explain },
    { "doctor",   "say what can and cannot be shown on this machine",   fnp_cmd_doctor  },
    { "lint",     "check the constraints of inline asm",                NULL            },
    { "fuzz",     "search for failing cases with a fuzzing engine",     NULL            },
    { "minimize", "reduce a failing case or a corpus",                  NULL            },
    { "mutate",   "break a kernel on purpose and see whether it shows", NULL            },
    { "bench",    "measure kernels",                                    NULL            },
    { "order",    "test when other CPUs see a kernel's stores",         NULL            },
    { "gate",     "everything that must hold before a merge",           NULL            },
    { "linux",    "verify the kernels of a Linux source tree",          NULL            },
    { "libc",     "verify the memory functions of a C library",         NULL            },
};

static void print_help(void)
{
    printf("usage: fencepost COMMAND [OPTION]... [SUBJECT]...\n\n"
           "fencepost runs hand-written x86 memory kernels on the real CPU and checks\n"
           "everything a caller relies on: every byte, register, flag and fault.\n\n"
           "commands:\n");
    for (size_t i = 0; i < FNP_ARRAY_LEN(commands); i++) {
        if (commands[i].run) {
            printf("  %-9s  %s\n", commands[i].name, commands[i].help);
        }
    }
    printf("\nnot in this version:");
    for (size_t i = 0; i < FNP_ARRAY_LEN(commands); i++) {
        if (!commands[i].run) {
            printf(" %s", commands[i].name);
        }
    }
    printf(
        "\n\n\"fencepost COMMAND --help\" tells more.  First steps:\n"
        "  fencepost verify my.o:my_memcpy      the contract is guessed from the name\n"
        "  fencepost verify --contract my.ini   every section of a contract file\n"
        "  fencepost verify --builtin           the kernels that come with "
        "fencepost\n\n"
        "exit status: 0 checked and clean, 1 findings, 2 bad usage or input,\n"
        "3 nothing was checked or a named kernel stayed open, 4 fencepost failed,\n"
        "128+N stopped by signal N\n");
}

static int unknown_command(const char *word)
{
    const char *names[FNP_ARRAY_LEN(commands)];

    for (size_t i = 0; i < FNP_ARRAY_LEN(commands); i++) {
        names[i] = commands[i].name;
    }
    if (word[0] == '-') {
        return fnp_cli_refuse(
            "unknown option %s; \"fencepost --help\" lists the commands", word);
    }
    return fnp_cli_refuse("unknown command %s%s", word,
                          fnp_cli_hint(word, names, FNP_ARRAY_LEN(names)));
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        return fnp_cli_refuse("no command; \"fencepost --help\" lists them");
    }
    const char *word = argv[1];
    if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
        print_help();
        return fnp_cli_finish(0);
    }
    if (!strcmp(word, "--version")) {
        printf("fencepost %s\n", FNP_VERSION);
        return fnp_cli_finish(0);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(commands); i++) {
        if (strcmp(word, commands[i].name) != 0) {
            continue;
        }
        if (!commands[i].run) {
            return fnp_cli_refuse("%s is not in this version", word);
        }
        return commands[i].run(argc - 2, argv + 2);
    }
    return unknown_command(word);
}
