/* The layout of a test's objects, results and threads on a device. An instance of the test has an
 * object of every name, in units of memory; a work-group of the test is one of the device. */
#pragma once

#include "parser/program.h"

/* Bytes of a unit of memory: 8 when some location needs them, else 4. */
guint layout_unit (const RspProgram *program);
/* Units of the object that begins at a location, of all objects in that space before it, and of
 * all. */
guint layout_units (const RspProgram *program, guint object);
guint layout_before (const RspProgram *program, guint object);
guint layout_total (const RspProgram *program, RspSpace space);
/* Local memory, or global, where constants lie too. */
RspSpace layout_space (const RspProgram *program, guint object);
/* The word in which the observable is reported, G_MAXUINT for one that is read from memory; and how
 * many words there are. */
guint layout_result (const RspProgram *program, guint observable);
guint layout_n_results (const RspProgram *program);
/* Work-groups in the order of their devices. Each thread's number among them, and in its group. */
guint layout_n_groups (const RspProgram *program);
guint layout_n_devices (const RspProgram *program);
guint layout_group (const RspProgram *program, const RspThread *thread);
guint layout_device (const RspProgram *program, guint group);
guint layout_member (const RspProgram *program, const RspThread *thread);
