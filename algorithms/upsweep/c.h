/* The C interface of libupsweep_cuda, the target upsweep::cuda: all of it. */
#ifndef UPSWEEP_C_H
#define UPSWEEP_C_H
#include <upsweep/c/automaton.h>
#include <upsweep/c/big_numbers.h>
#include <upsweep/c/compaction.h>
#include <upsweep/c/csr.h>
#include <upsweep/c/device.h>
#include <upsweep/c/filter.h>
#include <upsweep/c/images.h>
#include <upsweep/c/interval.h>
#include <upsweep/c/line_of_sight.h>
#include <upsweep/c/radix_sort.h>
#include <upsweep/c/recurrence.h>
#include <upsweep/c/scan.h>
#include <upsweep/c/search.h>
#include <upsweep/c/segments.h>
#include <upsweep/c/spmv.h>
#include <upsweep/c/statistics.h>
#endif
