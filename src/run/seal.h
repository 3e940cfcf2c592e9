/* SPDX-License-Identifier: MIT */
/*
 * seal.h - make a worker's own memory read-only before it runs a kernel
 *
 * What a worker does not change during a slice cannot be changed by a kernel
 * either: a write into the program, its libraries, its heap or its thread-local
 * storage faults at once and is that case's finding.
 *
 * Depends on: nothing.
 */
#ifndef FNP_RUN_SEAL_H
#define FNP_RUN_SEAL_H

#include "base/status.h"

/*
 * Protect every private writable mapping except the section fnp_rw, the stack in
 * use, and reservations of a GiB and more (sanitizer shadows).  Ends rseq for this
 * thread, because the kernel would write into thread-local storage.  Afterwards no
 * libc function that stores anything (errno included) may be called.
 *
 * On success *stack_end is the end of the stack's mapping.
 */
enum fnp_status fnp_seal(const unsigned char **stack_end, struct fnp_err *err);

#endif
