#pragma once

#include <glib.h>

#include "extra/machine/machine.h"
#include "extra/dsom/program.h"
#include "report/record.h"

/* ---- Config --------------------------------------------------------------------------------- */

/* How the machine dsom is run: the update strategy, and readings of what its source leaves open. */

/* What happens when a kernel on device d ends, having written W (the DSOM paper, section 4.2). */
typedef enum RspDsomStrategy {
  RSP_DSOM_BATCH,   /* WB W, UP W to all */
  RSP_DSOM_BALANCE, /* WB W */
  RSP_DSOM_LAZY,    /* nothing */
  RSP_DSOM_ADAPTIVE /* what followed this kernel, device and buffer before, if it was the same more
                     * than `threshold` times */
} RspDsomStrategy;

enum { DSOM_RANGES_EXACT, DSOM_RANGES_OVER, DSOM_RANGES_WHOLE };

enum { DSOM_FETCH_INDIRECT, DSOM_FETCH_OFF, DSOM_FETCH_ON };

enum { DSOM_UPDATES_WAIT, DSOM_UPDATES_BACKGROUND };

typedef struct RspDsomConfig {
  RspDsomStrategy strategy;
  guint threshold;               /* RSP_DSOM_ADAPTIVE; 2 by default */
  guint8 ranges, fetch, updates; /* readings: DSOM_RANGES_EXACT, … */
} RspDsomConfig;

/* The readings in RspDsomConfig. */
extern const RspReading rsp_dsom_readings[];

/* lazy, with the first word of each reading. */
RspDsomConfig rsp_dsom_config_default (void);

/* "lazy", "adaptive:3". FALSE with a message, newly allocated, after an error. */
gboolean rsp_dsom_config_set_strategy (RspDsomConfig *config, const char *text, char **message);

/* "adaptive:2". Newly allocated. */
char *rsp_dsom_config_strategy (const RspDsomConfig *config);

/* ---- Check ---------------------------------------------------------------------------------- */

/* Running a program of commands on the machine dsom, and comparing with the flat buffer. */

typedef struct RspDsomOptions {
  RspDsomConfig config;
  guint64 max_states; /* of either search; 0: no limit */
  double timeout;     /* seconds; 0: none */
  gsize max_memory;   /* bytes of states; 0: 1 GiB */
  gboolean traces;    /* shortest traces to wrong states */
  gboolean cost;
} RspDsomOptions;

/* Fills the parts of the record that describe the program and the machine before anything runs. */
void rsp_dsom_describe (const RspDsomProgram *program, const RspDsomOptions *options,
                        RspRecord *record);

/* Fills the described record: the machine's final states, each counted once; its verdict, whether
 * the flat buffer has all of them; flags `unsound`, `race` (which leaves the behaviour undefined),
 * and `I1` … `I5` for an invariant that fails in some state. Errors go to diagnostics. */
void rsp_dsom_check (const RspDsomProgram *program, const RspDsomOptions *options,
                     RspRecord *record, RspDiagnostics *diagnostics);

/* ---- Evaluate ------------------------------------------------------------------------------- */

/* Running a kernel's body on one memory. */

/* A byte of memory, or DSOM_GARBAGE: it was never written here and may have any value. */
typedef guint16 DsomByte;

#define DSOM_GARBAGE ((DsomByte) 0x100)

typedef struct DsomValue {
  gint64 value;
  gboolean garbage;
} DsomValue;

/* Bits: accesses to a byte or register. Reading a value that the kernel itself has written does not
 * count. */
enum { DSOM_READ = 1, DSOM_WRITTEN = 2 };

typedef enum DsomFault {
  DSOM_FINE,
  DSOM_WILD,    /* a condition, an index or a divisor is garbage */
  DSOM_OUTSIDE, /* of a buffer */
  DSOM_DIVISION /* by zero */
} DsomFault;

typedef struct DsomMemory {
  const RspDsomProgram *program;
  DsomByte *bytes;      /* of all buffers, one after another; written in place */
  DsomValue *registers; /* likewise */
  guint8 *byte_uses;    /* bits per byte */
  guint8 *register_uses;
  DsomFault fault;       /* the fault that ended the kernel early */
  RspSpan where;         /* of a fault */
  const guint8 *allowed; /* NULL, or per byte the declared DSOM_READ and DSOM_WRITTEN bits */
  gboolean undeclared;   /* has an undeclared access occurred? */
  guint undeclared_use;  /* its bit */
  RspSpan undeclared_at; /* the place of the first one */
} DsomMemory;

/* Runs the body to its end, or to a fault. */
void dsom_evaluate (const RspDsomKernel *kernel, DsomMemory *memory);

/* An element; garbage if one of its bytes is. */
DsomValue dsom_element_load (const RspDsomBuffer *buffer, guint element, const DsomByte *bytes);
void dsom_element_store (const RspDsomBuffer *buffer, guint element, DsomByte *bytes,
                         DsomValue value);

/* ---- Ranges --------------------------------------------------------------------------------- */

/* From affine references to ranges: sets of (offset, size), sorted and merged (the DSOM paper,
 * section 4.3). Both algorithms give the same set; the tests compare them. */

/* Each replaces the contents of ranges (of RspDsomRange) by the bytes that the reference touches;
 * an element has `element` bytes. FALSE if that takes more than 2^20 points. This one enumerates
 * the whole domain. */
gboolean rsp_ranges_naive (const RspAffine *affine, guint element, GArray *ranges);

/* Absorbs variables whose steps leave no gap, and enumerates the others. For rectangular domains:
 * without constraints. */
gboolean rsp_ranges_fast (const RspAffine *affine, guint element, GArray *ranges);

/* Chooses the algorithm that applies. */
gboolean rsp_ranges_of (const RspAffine *affine, guint element, GArray *ranges);

/* ---- Plan ----------------------------------------------------------------------------------- */

/* What the runtime knows about a program before it runs: the ranges of every kernel, as
 * configured. */

/* Bits per byte. */
enum {
  DSOM_IN_READS = DSOM_READ,     /* of the read ranges */
  DSOM_IN_WRITES = DSOM_WRITTEN, /* of the write ranges */
  DSOM_IN_INDIRECT = 4           /* of a buffer that is written indirectly */
};

typedef struct DsomPlan {
  const RspDsomProgram *program;
  RspDsomConfig config;
  guint8 **ranges; /* per kernel, per byte: as configured */
  guint8 **exact;  /* likewise: as declared; DSOM_READ and DSOM_WRITTEN bits, with indirect ones */
  /* Adaptive: the number of a (kernel, device, buffer) that some command writes, per command and
   * buffer; G_MAXUINT if the command does not write it. */
  guint **keys;
  guint n_keys;
  guint *key_buffers; /* per key */
} DsomPlan;

/* NULL after an error: a range that is not within its buffer. */
DsomPlan *dsom_plan_new (const RspDsomProgram *program, const RspDsomConfig *config,
                         RspDiagnostics *diagnostics);
void dsom_plan_free (DsomPlan *plan);

static inline const RspDsomCommand *dsom_command_at (const DsomPlan *plan, guint command) {
  return &plan->program->commands[command];
}

/* The buffer to which a byte belongs. */
guint dsom_buffer_of (const RspDsomProgram *program, guint byte);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DsomPlan, dsom_plan_free)

/* ---- Dsom ----------------------------------------------------------------------------------- */

/* The machine dsom: a distributed shared OpenCL memory (the DSOM paper, sections 4.2 and 4.3). The
 * buffers are in host memory, each device has a copy of its own, and a segment table records which
 * copies are valid. */

typedef struct DsomMachine DsomMachine;

/* ---- Finals --------------------------------------------------------------------------------- */

/* Final states: the values of the program's observables. */

typedef struct DsomFinals {
  const RspDsomProgram *program;
  GPtrArray *list;  /* of DsomValue *, one per observable: distinct */
  GHashTable *keys; /* their texts without `moved` */
  GHashTable *texts;
} DsomFinals;

/* ---- Flat ----------------------------------------------------------------------------------- */

/* The reference: one flat buffer, on which each command is a single step, in every order that the
 * queues allow. */

typedef struct DsomFlat DsomFlat;

/* ---- Table ---------------------------------------------------------------------------------- */

/* Segment tables: which copies of a buffer's bytes are valid. Equal neighbours are one segment. */

/* Tags have a bit for the host and one for each device. */
#define DSOM_HOST 1u

static inline guint dsom_device_bit (guint device) { return 2u << device; }

typedef struct DsomSegment {
  guint16 offset, size; /* bytes of the buffer */
  guint8 tag;
} DsomSegment;

/* A table is a GArray of DsomSegment. Initially it is one segment of all bytes. */
void dsom_table_init (GArray *table, guint size, guint8 tag);
guint8 dsom_table_tag (const GArray *table, guint byte);

/* The tags of bytes offset … offset + size - 1 become (tag & keep) | set; then neighbours are
 * merged. */
void dsom_table_update (GArray *table, guint offset, guint size, guint8 keep, guint8 set);

/* The name of the invariant of tables that this one violates, or NULL: I1, I2, I4 and I5. */
const char *dsom_table_violated (const GArray *table, guint size);

/* ---- State ---------------------------------------------------------------------------------- */

/* States of the machine dsom, and its parts. */

/* The phase of a command. */
typedef enum DsomPhase {
  DSOM_WAITING,  /* waits for commands before it, for what it reads, or for its turn to write */
  DSOM_RUNNING,  /* a kernel between its start and its end */
  DSOM_UPDATING, /* it has ended, but transfers of the strategy continue */
  DSOM_DONE
} DsomPhase;

/* What a running kernel has computed for a byte, or the remaining transfers of the byte. */
typedef struct DsomEntry {
  guint16 byte;
  DsomByte value; /* DSOM_RUNNING: what the kernel writes */
  guint8 bits; /* DSOM_RUNNING: ENTRY_…; DSOM_UPDATING: DSOM_HOST for WB, a device's bit for UP */
} DsomEntry;

enum {
  ENTRY_WRITTEN = 1, /* the kernel writes it */
  ENTRY_DIFFERS = 2  /* it differs from the host's copy at the start, in an indirect write range */
};

/* The adaptive strategy's history of a (kernel, device, buffer). Bits as in entries. */
typedef struct DsomHistory {
  guint8 *now;    /* per byte of the buffer: what has followed the last end */
  guint8 *before; /* what followed the end before that */
  guint8 times;   /* how often that followed, up to threshold + 1 */
} DsomHistory;

typedef struct DsomState {
  guint8 *phases;    /* per command */
  GArray **entries;  /* per command, of DsomEntry, by byte */
  GArray **tables;   /* per buffer */
  DsomByte **copies; /* the host's, and one per device: of all buffers */
  DsomByte *latest;  /* the values written by commands that have ended */
  DsomValue *registers;
  guint32 moved;          /* bytes moved; counted only if the question uses it */
  DsomHistory *histories; /* per key, under the adaptive strategy */
  guint16 *writers;       /* per byte: the key that wrote it last, + 1; 0: the host */
} DsomState;

struct DsomMachine {
  const DsomPlan *plan;
  const RspDsomProgram *program;
  RspSystem system;
  gboolean adaptive, counts_moved;
  DsomState *scratch[2];
  DsomByte *bytes; /* scratch of a kernel's run */
  guint8 *uses;
  RspBill bill; /* of the current step */
  GString *log; /* of the current step, unless NULL: its line */
};

DsomState *dsom_state_new (const DsomMachine *m);
void dsom_state_free (const DsomMachine *m, DsomState *s);
void dsom_state_start (const DsomMachine *m, DsomState *s);
void dsom_state_encode (const DsomMachine *m, const DsomState *s, GByteArray *out);
void dsom_state_decode (const DsomMachine *m, RspBytes bytes, DsomState *s);
guint8 dsom_tag (const DsomMachine *m, const DsomState *s, guint byte);

/* ---- Step ----------------------------------------------------------------------------------- */

/* The steps of commands. */

/* Performs the next step of a command; of a blocking one, all consecutive steps. FALSE if it has
 * none now. Sets m->bill. */
gboolean dsom_step (DsomMachine *m, DsomState *s, guint c);

/* "I1" … "I5": an invariant that the state violates, or NULL. I3 is that all valid copies hold the
 * latest value; dsom_table_violated checks the others. */
const char *dsom_violated (gpointer machine, RspBytes state);

/* See RspSystem.expand; data: DsomMachine. */
RspEnd dsom_expand (gpointer data, RspBytes state, RspSuccessors *successors);

/* ---- Strategy ------------------------------------------------------------------------------- */

/* Command c, a kernel or a host's write, has ended and written the marked bytes: leaves in its
 * entries what the strategy transfers at once. */
void dsom_plan_updates (DsomMachine *m, DsomState *s, guint c, const guint8 *written);

/* Performs the next of these transfers. FALSE if none is left. */
gboolean dsom_update (DsomMachine *m, DsomState *s, guint c);

/* Drops updates that have become useless, and ends commands that have none left. */
void dsom_settle (DsomMachine *m, DsomState *s);

/* ---- Transfer ------------------------------------------------------------------------------- */

/* Transfers: bytes from one copy to another, all by way of the host. */

/* WB: bytes first … first + size - 1 of one buffer go from a device to the host. */
void dsom_write_back (DsomMachine *m, DsomState *s, guint device, guint first, guint size);

/* UP: from the host to a device. */
void dsom_upload (DsomMachine *m, DsomState *s, guint device, guint first, guint size);
