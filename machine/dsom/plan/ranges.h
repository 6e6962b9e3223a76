/* From affine references to ranges: sets of (offset, size), sorted and merged (the DSOM paper,
 * section 4.3). Both algorithms give the same set; the tests compare them. */
#pragma once

#include "parser/dsom/program.h"

/* Each replaces what ranges (of RspDsomRange) held by the bytes that the reference touches,
 * elements being `element` bytes large. FALSE if it would take more than 2^20 points. */

/* Enumerates the whole domain. */
gboolean rsp_ranges_naive (const RspAffine *affine, guint element, GArray *ranges);
/* Absorbs variables whose steps leave no gap, and enumerates the others. For rectangular domains:
 * without constraints. */
gboolean rsp_ranges_fast (const RspAffine *affine, guint element, GArray *ranges);
/* Chooses the algorithm that applies. */
gboolean rsp_ranges_of (const RspAffine *affine, guint element, GArray *ranges);
