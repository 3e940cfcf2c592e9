/* SPDX-License-Identifier: MIT */
/*
 * raw.h - system calls that touch nothing but registers
 *
 * A sealed worker may not write errno (it lives in thread-local storage, which is
 * read-only by then), so libc's wrappers are out of the question there.
 *
 * Depends on: nothing.
 */
#ifndef FNP_RUN_RAW_H
#define FNP_RUN_RAW_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

/* The kernel's answer: a result, or minus an errno. */
/* NOLINTNEXTLINE(readability-function-size): as many as the system call has. */
static inline long fnp_raw6(long nr, long a, long b, long c, long d, long e, long f)
{
    long result = 0;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static inline long fnp_raw3(long nr, long a, long b, long c)
{
    return fnp_raw6(nr, a, b, c, 0, 0, 0);
}

static inline long fnp_raw_mprotect(const void *addr, size_t len, int prot)
{
    return fnp_raw3(SYS_mprotect, (long)addr, (long)len, prot);
}

static inline long fnp_raw_read(int fd, void *to, size_t len)
{
    return fnp_raw3(SYS_read, fd, (long)to, (long)len);
}

static inline long fnp_raw_write(int fd, const void *from, size_t len)
{
    return fnp_raw3(SYS_write, fd, (long)from, (long)len);
}

static inline long fnp_raw_mmap(uint64_t addr, size_t len, int prot, int flags)
{
    return fnp_raw6(SYS_mmap, (long)addr, (long)len, prot, flags, -1, 0);
}

static inline long fnp_raw_mmap_file(uint64_t addr, size_t len, int prot, int flags,
                                     int fd, uint64_t offset)
{
    return fnp_raw6(SYS_mmap, (long)addr, (long)len, prot, flags, fd, (long)offset);
}

static inline long fnp_raw_munmap(uint64_t addr, size_t len)
{
    return fnp_raw3(SYS_munmap, (long)addr, (long)len, 0);
}

#endif
