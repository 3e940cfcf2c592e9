/* SPDX-License-Identifier: MIT */
/*
 * lab.h - everything one process needs to run cases of one kernel after another
 *
 * A lab is set up after the fork, sealed, and then only runs cases: it observes
 * and never judges.  Nothing is allocated once it is sealed.
 *
 * Depends on: field, contents, layout, signals, subject/kernel.h.
 */
#ifndef FNP_RUN_LAB_H
#define FNP_RUN_LAB_H

#include <stdbool.h>
#include <stdint.h>

#include "run/arguments.h"
#include "run/contents.h"
#include "run/field.h"
#include "run/layout.h"
#include "run/outcome.h"
#include "run/signals.h"
#include "subject/kernel.h"

#define FNP_STACK_BASE  0x2a5f80000000u /* of the kernel's own stack */
#define FNP_STACK_LOW   0x6c000000u     /* of the one for 32-bit code */
#define FNP_STACK_LEN   ((size_t)128 << 10)
#define FNP_STACK_GUARD (16ull << 20) /* no-access bytes on both sides */
#define FNP_FRAME_LEN   192u /* caller's frame above the return address, at least */
#define FNP_FRAME_MAX   256u /* at most; it ends at the guard, where it begins varies */
#define FNP_BELOW_LEN   1024u /* patterned bytes below the return address */

enum fnp_case_mode {
    FNP_MODE_FULL = 1,      /* load and capture the whole FP and vector state */
    FNP_MODE_THOROUGH = 2,  /* compare whole fields and our own memory afterwards */
    FNP_MODE_OTHER_OLD = 4, /* other old bytes in the outputs */
};

struct fnp_lab {
    struct fnp_fields fields;
    struct fnp_contents contents;
    unsigned char *expect;              /* reference output, FNP_LARGE_LEN bytes */
    unsigned char *saved[FNP_MAX_BUFS]; /* kernel output while the reference runs */
    uint64_t junk[256 + 64]; /* words for caller-saved and sentinel registers */
    uint64_t host_hash;      /* of our own stack above the frames in use */
    const unsigned char *host_lo, *host_hi; /* that part of the stack */
    enum fnp_fence fence;
    uint32_t ticks_limit; /* of an ordinary case */
    uint64_t stack;       /* base of the kernel's stack */
    bool low_usable;      /* what 32-bit code needs could be mapped */
    bool tight_stack; /* the code never moves rsp: below its red zone lies the guard */
    const struct fnp_kernel *kernel;         /* mapped now, NULL: none */
    uint64_t entry;                          /* where it is called */
    struct fnp_arguments arguments;          /* of its contract */
    const struct fnp_buf *buf[FNP_MAX_BUFS]; /* the kernel's, by role; NULL: none */
    struct fnp_layout layout;                /* of the case that runs */
    const struct fnp_outcome
        *quiet;                /* the last outcome, when nothing was found in it */
    void (*before_call)(void); /* for debuggers; NULL: none */
};

/* Map fields, contents and stack, without handlers: enough to lay a case out. */
enum fnp_status fnp_lab_map(struct fnp_lab *lab, struct fnp_err *err);

/* fnp_lab_map, then handlers, timer and fence.  Once per process; hang_ms 0: no limit. */
enum fnp_status fnp_lab_open(struct fnp_lab *lab, unsigned hang_ms,
                             struct fnp_err *err);

/* Make `kernel` the one whose cases are laid out, without mapping its image. */
void fnp_lab_attach(struct fnp_lab *lab, const struct fnp_kernel *kernel);

/* Map the kernel's image in place of the one before and set protections. */
void fnp_lab_load(struct fnp_lab *lab, const struct fnp_kernel *kernel);

/* Call a copy of the kernel's code that begins at `entry`; 0: the kernel itself. */
void fnp_lab_enter(struct fnp_lab *lab, uint64_t entry);

/* Give the kernel's writable data its initial contents again. */
void fnp_lab_reset_data(struct fnp_lab *lab);

/* Run one case; `mode` is a set of enum fnp_case_mode. */
void fnp_lab_run(struct fnp_lab *lab, const struct fnp_case *c, unsigned mode,
                 struct fnp_outcome *out);

/* Parts of fnp_lab_run, for whoever needs only some of it; lab->layout is made. */
void fnp_lab_fill(const struct fnp_lab *lab, const struct fnp_case *c, unsigned mode);
const unsigned char *fnp_lab_expected(const struct fnp_lab *lab,
                                      const struct fnp_case *c, unsigned role);
void fnp_lab_compare(const struct fnp_lab *lab, const struct fnp_case *c, unsigned mode,
                     struct fnp_outcome *out);
void fnp_lab_restore(const struct fnp_lab *lab, uint64_t margin);
void fnp_lab_want_return(const struct fnp_lab *lab, struct fnp_outcome *out);

/* Hash of our own stack above the frames in use, [host_lo, host_hi). */
uint64_t fnp_lab_hash_host(const struct fnp_lab *lab);

/*
 * Is every writable field as it was before the first case?  Puts it right when not.
 * For the end of a slice.
 */
bool fnp_lab_clean(struct fnp_lab *lab);

#endif
