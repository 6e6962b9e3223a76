/* States of the machine dsom, and its parts. Private to this folder. */
#pragma once

#include "machine/dsom/dsom.h"
#include "machine/dsom/table.h"

/* The phase of a command. */
typedef enum DsomPhase {
  DSOM_WAITING,  /* waits for commands before it, for what it reads, or for its turn to write */
  DSOM_RUNNING,  /* a kernel between its start and its end */
  DSOM_UPDATING, /* it has ended, but transfers of the strategy continue */
  DSOM_DONE
} DsomPhase;

/* What a running kernel has computed for a byte, or which transfers of it are left. */
typedef struct DsomEntry {
  guint16 byte;
  DsomByte value; /* DSOM_RUNNING: what the kernel writes */
  guint8 bits; /* DSOM_RUNNING: ENTRY_…; DSOM_UPDATING: DSOM_HOST for WB, a device's bit for UP */
} DsomEntry;

enum {
  ENTRY_WRITTEN = 1, /* the kernel writes it */
  ENTRY_DIFFERS = 2  /* it differs from the host's copy at the start, in an indirect write range */
};

/* What the adaptive strategy knows about a (kernel, device, buffer). Bits as in entries. */
typedef struct DsomHistory {
  guint8 *now;    /* per byte of the buffer: what has followed the last end */
  guint8 *before; /* and the end before that */
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
  const char *first_violated; /* an invariant, in some state that was expanded; or NULL */
  RspBill bill;               /* of the current step */
  GString *log;               /* of the current step, unless NULL: its line */
};

DsomState *dsom_state_new (const DsomMachine *m);
void dsom_state_free (const DsomMachine *m, DsomState *s);
void dsom_state_start (const DsomMachine *m, DsomState *s);
void dsom_state_encode (const DsomMachine *m, const DsomState *s, GByteArray *out);
void dsom_state_decode (const DsomMachine *m, RspBytes bytes, DsomState *s);

guint8 dsom_tag (const DsomMachine *m, const DsomState *s, guint byte);
/* Changes the tags of bytes of one buffer. */
void dsom_set_tags (const DsomMachine *m, DsomState *s, guint byte, guint size, guint8 keep,
                    guint8 set);

/* Appends "WB b(13,4) from 0" and the like to the step's line, if there is one. */
void dsom_log (DsomMachine *m, const char *format, ...) G_GNUC_PRINTF (2, 3);
void dsom_log_range (DsomMachine *m, guint first, guint size);
