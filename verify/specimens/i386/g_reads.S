/* SPDX-License-Identifier: MIT */
/*
 * g_reads - the copies of ../g_reads.S in 32-bit code; NO_EXEC_STACK is there, too
 */
#include "verify/specimens/g_reads.S"
