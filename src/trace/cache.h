/* SPDX-License-Identifier: MIT */
/*
 * cache.h - the memory that recorded code lives in, and the log it writes
 *
 * One region for each width of addresses, at a fixed place within 2 GiB of the images,
 * so that a rip-relative operand needs another displacement and no other bytes.  It is
 * shared with the workers: we write code into it, they may only run it; they write the
 * log, we read it.  A page that nobody may touch ends the log, so that a loop without
 * end faults there: no other step limit is needed.
 *
 * Depends on: base, x86/state.h.
 */
#ifndef FNP_TRACE_CACHE_H
#define FNP_TRACE_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "x86/state.h"

#define FNP_CACHE_HIGH 0x2a4020000000u
#define FNP_CACHE_LOW  0x70000000u

enum {
    FNP_CACHE_POOL = 4096,     /* addresses that code pushes or jumps to */
    FNP_CACHE_COVER = 16384,   /* blocks */
    FNP_CACHE_TABLE = 65536,   /* targets of indirect jumps, by their low 16 bits */
    FNP_CACHE_CODE = 4 << 20,  /* bytes of code */
    FNP_CACHE_LOG = 48 << 20,  /* bytes of log */
    FNP_CACHE_GUARD = 1 << 16, /* bytes without access behind the log */
};

/* A word of the log says so in its top bit: a mask register, not an instruction. */
#define FNP_LOG_MASK 0x80000000u

/* What was there before an instruction of 64-bit code. */
struct fnp_log64 {
    uint32_t at; /* its address, from the start of the image's span */
    uint32_t pad;
    uint64_t gpr[FNP_N_GPRS];
    uint64_t flags; /* SF ZF AF PF CF in bits 8-15, OF in bit 0: LAHF and SETO */
};

/* ... and of 32-bit code. */
struct fnp_log32 {
    uint32_t at;
    uint32_t gpr[FNP_N_GPRS_32];
    uint32_t flags;
};

/* Where a mask stands in either, up to 32 bytes of it. */
enum {
    FNP_LOG_MASK_AT = 8
};

/* What code in the cache writes, by fixed addresses. */
struct fnp_cache_data {
    uint64_t rax, rcx, rdx; /* saved while a stub uses them */
    uint64_t log;           /* where the next record goes */
    uint64_t target;        /* of an indirect jump */
    uint64_t found;         /* its place in the cache */
    uint8_t cover[FNP_CACHE_COVER];
};

/* What it only reads: a kernel that writes there faults. */
struct fnp_cache_table {
    uint64_t caller; /* minus the address to which a return leaves the copy */
    uint64_t pool[FNP_CACHE_POOL];
    /* Minus the address, and where its copy is; 32-bit code reads the low halves as
     * arrays of their own. */
    uint64_t key[FNP_CACHE_TABLE], place[FNP_CACHE_TABLE];
};

struct fnp_cache {
    struct fnp_cache_data *data;
    struct fnp_cache_table *table;
    unsigned char *code, *log;
    uint64_t end; /* of the region */
};

/* Bytes of whole pages that the table lies in. */
size_t fnp_cache_table_len(void);

/* Both regions, mapped for this process and those it forks by the first call. */
enum fnp_status fnp_cache_map(struct fnp_cache *high, struct fnp_cache *low,
                              struct fnp_err *err);

#endif
