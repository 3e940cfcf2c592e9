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

/* What is looked for. */
struct search {
    struct fnp_line_query *queries;
    size_t count;
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

static void search_line(Dwfl_Module *module, Dwarf_Addr addr, struct fnp_line *out)
{
    int number = 0;
    const char *file = line_of(module, addr, &number);

    if (!file || number <= 0)
        return;
    out->line = (unsigned)number;
    snprintf(out->file, sizeof(out->file), "%s", file);
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

        for (size_t k = 0; text && sym.st_shndx != SHN_UNDEF && k < s->count; k++) {
            struct fnp_line_query *q = &s->queries[k];

            if (q->symbol && !q->line.line && is_named(text, q->symbol))
                search_line(module, sym.st_value + q->offset, &q->line);
        }
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

static bool write_all(int to, const void *bytes, size_t len)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = write(to, (const char *)bytes + done, len - done);

        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static bool read_all(int from, void *bytes, size_t len)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = read(from, (char *)bytes + done, len - done);

        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

_Noreturn static void child(const struct fnp_object *object, struct search *s, int to)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    /* What the library has to say about a damaged file is nobody's business. */
    dup2(null, STDERR_FILENO);
    signal(SIGALRM, SIG_DFL);
    alarm(5);
    search_object(object, s);
    for (size_t i = 0; i < s->count; i++) {
        if (!write_all(to, &s->queries[i].line, sizeof(s->queries[i].line)))
            _exit(1);
    }
    _exit(0);
}

void fnp_lines_find_all(const struct fnp_object *object, struct fnp_line_query *queries,
                        size_t count)
{
    struct search s = { queries, count };
    int ends[2];
    int status = 0;
    size_t got = 0;

    for (size_t i = 0; i < count; i++)
        queries[i].line = (struct fnp_line){ .line = 0 };
    if (!object->bytes || count == 0 || pipe(ends) != 0)
        return;
    pid_t pid = fork();

    if (pid == 0) {
        close(ends[0]);
        child(object, &s, ends[1]);
    }
    close(ends[1]);
    if (pid > 0) {
        while (got < count &&
               read_all(ends[0], &queries[got].line, sizeof(queries[got].line))) {
            struct fnp_line *line = &queries[got++].line;

            line->file[sizeof(line->file) - 1] = '\0';
        }
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    close(ends[0]);
    /* The one that was being read when the child died. */
    if (got < count)
        queries[got].line.line = 0;
}

bool fnp_lines_find(const struct fnp_object *object, const char *symbol,
                    uint64_t offset, struct fnp_line *out)
{
    struct fnp_line_query query = { .symbol = symbol, .offset = offset };

    fnp_lines_find_all(object, &query, 1);
    *out = query.line;
    return out->line > 0;
}
