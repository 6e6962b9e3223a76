/* The cat files that are part of the program: model/library, as the build makes strings of them. */
#ifndef RSP_LIBRARY_H
#define RSP_LIBRARY_H

typedef struct LibraryFile
{
  const char *name, *text;
} LibraryFile;

/* Ends with a NULL name. */
extern const LibraryFile library_files[];

#endif
