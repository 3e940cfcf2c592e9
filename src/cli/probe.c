/* SPDX-License-Identifier: MIT */
/*
 * probe.c - asks the system in a child that may die of the answer
 */
#include "cli/probe.h"

#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"

/* Run `question` in a child; its answer, or false when the child died of it. */
static bool in_child(bool (*question)(void))
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        _exit(question() ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool dispatch_works(void)
{
    static char selector; /* 0: system calls are allowed */

    return prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector) ==
           0;
}

static bool seccomp_works(void)
{
    uint32_t action = SECCOMP_RET_TRAP;

    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool fnp_probe_dispatch(void)
{
    return in_child(dispatch_works);
}

bool fnp_probe_seccomp(void)
{
    return in_child(seccomp_works);
}

bool fnp_probe_fsgsbase(void)
{
    return getauxval(AT_HWCAP2) >> 1 & 1;
}

bool fnp_probe_map(uint64_t addr, bool exec)
{
    union {
        uint64_t number;
        void *pointer;
    } at = { .number = addr };
    void *page = mmap(at.pointer, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    if (page == MAP_FAILED) {
        return false;
    }
    bool ok = page == at.pointer;
    if (ok && exec) {
        *(volatile unsigned char *)page = 0xc3;
        ok = mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
    }
    munmap(page, 4096);
    return ok;
}

bool fnp_probe_core_limit(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur > 0;
}

bool fnp_probe_tool(const char *name)
{
    const char *path = getenv("PATH");

    while (path && *path) {
        char file[1024];
        struct fnp_str s = fnp_str_over(file, sizeof(file));
        size_t len = strcspn(path, ":");
        fnp_str_add(&s, "%.*s/%s", (int)len, path, name);
        if (!s.overflow && access(file, X_OK) == 0) {
            return true;
        }
        path += len + (path[len] == ':');
    }
    return false;
}
