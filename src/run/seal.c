/* SPDX-License-Identifier: MIT */
#include "run/seal.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run/context.h"
#include "run/raw.h"

/* From <sys/rseq.h> of glibc 2.35 and later; absent before, then there is no rseq. */
/* NOLINTBEGIN(bugprone-reserved-identifier): glibc's names. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));
/* NOLINTEND(bugprone-reserved-identifier) */

enum {
    MAPS_LEN = 256 * 1024,
    MAX_RANGES = 512,
    RSEQ_UNREGISTER = 1
};
#define RSEQ_SIGNATURE 0x53053053u
#define SHADOW_LEN     (1ull << 30)

struct range {
    uint64_t lo, hi;
};

/* Its own pages: it is written while other memory is already sealed. */
static char maps[MAPS_LEN] __attribute__((section("fnp_rw"), aligned(4096)));

static void end_rseq(void)
{
    if (&__rseq_size && __rseq_size) {
        char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
        unsigned len = __rseq_size < 32 ? 32 : __rseq_size;

        fnp_raw6(SYS_rseq, (long)area, len, RSEQ_UNREGISTER, RSEQ_SIGNATURE, 0, 0);
    }
}

static size_t read_maps(void)
{
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t len = 0;
    ssize_t got = 1;

    while (fd >= 0 && got > 0 && len < MAPS_LEN - 1) {
        got = read(fd, maps + len, MAPS_LEN - 1 - len);
        len += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    maps[len] = '\0';
    return len;
}

static const char *parse_hex(const char *p, uint64_t *out)
{
    *out = 0;
    for (;; p++) {
        if (*p >= '0' && *p <= '9')
            *out = *out << 4 | (uint64_t)(*p - '0');
        else if (*p >= 'a' && *p <= 'f')
            *out = *out << 4 | (uint64_t)(*p - 'a' + 10);
        else
            return p;
    }
}

static void protect_around(struct range r, struct range hole)
{
    if (hole.hi <= r.lo || hole.lo >= r.hi) {
        fnp_raw_mprotect((void *)(uintptr_t)r.lo, r.hi - r.lo, PROT_READ);
        return;
    }
    if (r.lo < hole.lo)
        fnp_raw_mprotect((void *)(uintptr_t)r.lo, hole.lo - r.lo, PROT_READ);
    if (hole.hi < r.hi)
        fnp_raw_mprotect((void *)(uintptr_t)hole.hi, r.hi - hole.hi, PROT_READ);
}

/* "lo-hi rw-p offset dev inode   path" */
static void seal_line(const char *line, const char *end,
                      const unsigned char **stack_end)
{
    const struct range own = { (uint64_t)(uintptr_t)__start_fnp_rw,
                               ((uint64_t)(uintptr_t)__stop_fnp_rw + 4095) & ~4095ull };
    const uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    struct range r = { 0, 0 };
    const char *p = parse_hex(line, &r.lo);

    p = parse_hex(p + 1, &r.hi);
    if (end - p < 5 || p[2] != 'w' || p[4] != 'p' || r.hi - r.lo >= SHADOW_LEN)
        return;
    if (here >= r.lo && here < r.hi) {
        *stack_end = (const unsigned char *)(uintptr_t)r.hi;
        return;
    }
    protect_around(r, own);
}

enum fnp_status fnp_seal(const unsigned char **stack_end, struct fnp_err *err)
{
    const char *line = maps;

    *stack_end = NULL;
    end_rseq();
    if (read_maps() == 0)
        return fnp_err_set(err, FNP_FAILED, "cannot read /proc/self/maps");
    while (*line) {
        const char *end = strchr(line, '\n');

        if (!end)
            break;
        seal_line(line, end, stack_end);
        line = end + 1;
    }
    return FNP_OK;
}
