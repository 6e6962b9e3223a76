/* The cat files that are built into the program: those of model/library, which the build turns into
 * strings. */
#pragma once

typedef struct LibraryFile {
  const char *name, *text;
} LibraryFile;

/* Ends with a NULL name. */
extern const LibraryFile library_files[];
