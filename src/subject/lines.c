/* SPDX-License-Identifier: MIT */
#include "subject/lines.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is looked for, and where the answer goes. */
struct search {
    const char *symbol;
    uint64_t offset;
    struct fnp_line *out;
};

/* Linkers write versions behind names: the default one is NAME@@VERSION. */
static bool is_named(const char *text, const char *symbol)
{
    size_t len = strlen(symbol);

    return strncmp(text, symbol, len) == 0 &&
           (text[len] == 0 || (text[len] == '@' && text[len + 1] == '@'));
}

/* By .debug_aranges, else (clang writes none) in every unit. */
static const char *line_of(Dwfl_Module *module, Dwarf_Addr addr, int *number)
{
    Dwfl_Line *line = dwfl_module_getsrc(module, addr);
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias = 0;

    if (line)
        return dwfl_lineinfo(line, NULL, number, NULL, NULL, NULL);
    while ((unit = dwfl_module_nextcu(module, unit, &bias))) {
        Dwarf_Line *found = dwarf_getsrc_die(unit, addr - bias);

        if (found && dwarf_lineno(found, number) == 0)
            return dwarf_linesrc(found, NULL, NULL);
    }
    return NULL;
}

/* libdwfl gives the sections of an object addresses of its own, a shared one a base. */
static int search_module(Dwfl_Module *module, void **data, const char *name,
                         Dwarf_Addr base, void *arg)
{
    struct search *s = arg;
    int count = dwfl_module_getsymtab(module);

    (void)data;
    (void)name;
    (void)base;
    for (int i = 0; i < count; i++) {
        GElf_Sym sym;
        const char *text = dwfl_module_getsym(module, i, &sym, NULL);

        if (!text || sym.st_shndx == SHN_UNDEF || !is_named(text, s->symbol))
            continue;
        int number = 0;
        const char *file = line_of(module, sym.st_value + s->offset, &number);

        if (!file || number <= 0)
            continue;
        s->out->line = (unsigned)number;
        snprintf(s->out->file, sizeof(s->out->file), "%s", file);
        return DWARF_CB_ABORT;
    }
    return DWARF_CB_OK;
}

static void search_object(const struct fnp_object *object, struct search *s)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
    };
    int fd = memfd_create("object", MFD_CLOEXEC);
    Dwfl *dwfl = dwfl_begin(&callbacks);

    if (fd < 0 || !dwfl ||
        write(fd, object->bytes, object->len) != (ssize_t)object->len)
        return;
    dwfl_report_begin(dwfl);
    dwfl_report_offline(dwfl, "object", "object", fd);
    dwfl_report_end(dwfl, NULL, NULL);
    dwfl_getmodules(dwfl, search_module, s, 0);
}

_Noreturn static void child(const struct fnp_object *object, const char *symbol,
                            uint64_t offset, int to)
{
    struct fnp_line line = { .line = 0 };
    struct search s = { symbol, offset, &line };
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    /* What the library has to say about a damaged file is nobody's business. */
    dup2(null, STDERR_FILENO);
    signal(SIGALRM, SIG_DFL);
    alarm(5);
    search_object(object, &s);
    _exit(line.line > 0 && write(to, &line, sizeof(line)) == sizeof(line) ? 0 : 1);
}

bool fnp_lines_find(const struct fnp_object *object, const char *symbol,
                    uint64_t offset, struct fnp_line *out)
{
    int ends[2];
    int status = 0;
    bool got = false;

    if (!object->bytes || pipe(ends) != 0)
        return false;
    pid_t pid = fork();

    if (pid == 0) {
        close(ends[0]);
        child(object, symbol, offset, ends[1]);
    }
    close(ends[1]);
    if (pid > 0) {
        got = read(ends[0], out, sizeof(*out)) == sizeof(*out);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    close(ends[0]);
    out->file[sizeof(out->file) - 1] = '\0';
    return got && out->line > 0;
}
