#pragma once

#include "parser/kernel/lower/lower.h"

extern const KernelType kernel_int, kernel_size, kernel_void, kernel_bool, kernel_uint, kernel_long;

/* The number of cells of a type: scalars have one, vectors of three lanes four. 0 after an error.
 */
guint rsp_kernel_cells (KernelLowerer *l, const KernelType *type, RspSpan span);
/* The scalar type of a cell. */
const KernelType *rsp_kernel_leaf (KernelLowerer *l, const KernelType *type, guint cell);
/* Is the cell the fourth one of three lanes? It has no value, and is neither read nor written. */
gboolean rsp_kernel_pads (KernelLowerer *l, const KernelType *type, guint cell);
/* The type of a cell in the program. */
RspType rsp_kernel_cell_type (const KernelType *leaf);
/* sizeof */
guint64 rsp_kernel_size_of (KernelLowerer *l, const KernelType *type, RspSpan span);
guint kernel_array_length (KernelLowerer *l, const KernelType *type, RspSpan span);
/* The elements of an array, or the lanes of a vector. */
guint kernel_n_elements (KernelLowerer *l, const KernelType *type, RspSpan span);

gboolean rsp_kernel_is_scalar (const KernelType *type);
gboolean rsp_kernel_is_pointer (const KernelType *type); /* also an array */
/* The pointer to the elements of an array, or the type itself. */
const KernelType *kernel_decayed (KernelLowerer *l, const KernelType *type);
const KernelType *rsp_kernel_pointer_to (KernelLowerer *l, const KernelType *to);
const KernelType *rsp_kernel_array_of (KernelLowerer *l, const KernelType *element, guint n);
const KernelType *rsp_kernel_vector_of (KernelLowerer *l, const KernelType *lane, guint lanes);
const KernelType *kernel_promoted (const KernelType *type);
/* The usual arithmetic conversions of two scalars. */
const KernelType *rsp_kernel_common (const KernelType *a, const KernelType *b);
/* The member of a structure, or of one without a name in it, and its first cell; NULL: it has none
 * of that name. */
const KernelType *kernel_member (KernelLowerer *l, const KernelStruct *record, const char *name,
                                 guint *first);
/* The member in which a cell lies; *cell becomes that of the member. NULL: none. */
const KernelVariable *rsp_kernel_member_at (KernelLowerer *l, const KernelStruct *record,
                                            guint *cell);
/* Newly allocated: "uint", "struct node*". */
char *rsp_kernel_type_name (const KernelType *type);
