/* Source: the text of one input file, and spans of it. */
#pragma once

#include <glib.h>

typedef struct RspSource {
  char *name; /* as the user gave it; "<stdin>" for standard input */
  char *text; /* NUL-terminated; may contain NULs (see length) */
  gsize length;
  guint *lines; /* byte offset of each line's start */
  guint n_lines;
} RspSource;

/* A span of a source: bytes begin … end - 1. source may be NULL: no position. */
typedef struct RspSpan {
  RspSource *source;
  guint begin, end;
} RspSpan;

#define RSP_NOWHERE ((RspSpan){ 0 })

/* Takes ownership of text. Sources are reference-counted: a tree or diagnostic keeps its source
 * alive. */
RspSource *rsp_source_new (const char *name, char *text, gsize length);
#define RSP_SOURCE_SMALL ((gsize) 64 << 20) /* limit in bytes of a test, model or list */
#define RSP_SOURCE_LARGE                                                                           \
  ((gsize) 1 << 30) /* limit of a log or of records, unless another one is given */
#define RSP_SOURCE_MOST ((gsize) G_MAXINT32) /* limit of any source: offsets have 32 bits */

/* Reads a file, or standard input for "-", of RSP_SOURCE_SMALL bytes at most. A directory, a
 * missing, a larger or a binary file (one with a NUL byte) sets error (domain G_FILE_ERROR) to one
 * message fit for users. */
RspSource *rsp_source_read (const char *path, GError **error);
/* The same with another limit. */
RspSource *rsp_source_read_within (const char *path, gsize max, GError **error);
/* From now on only files below these folders, and those of earlier calls, can be read; another one
 * is an error. */
void rsp_source_confine (const char *const *folders);
gboolean rsp_source_is_confined (void);
RspSource *rsp_source_ref (RspSource *source);
void rsp_source_unref (RspSource *source);

/* Line and column of a byte offset, both from 1; a column is a byte, a tab is one column. */
void rsp_source_position (const RspSource *source, guint offset, guint *line, guint *column);
/* Line number (from 1) of the span's start; 0 without a source. */
guint rsp_span_line (RspSpan span);
/* Its text, newly allocated; NULL without a source. */
char *rsp_span_text (RspSpan span);
/* Appends its text, with one space for white space, and none at the beginning of out. */
void rsp_span_append (RspSpan span, GString *out);
/* From the start of one to the end of the other. */
RspSpan rsp_span_join (RspSpan first, RspSpan last);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspSource, rsp_source_unref)
