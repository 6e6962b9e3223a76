/* Near files: the file that a misspelt name was meant to be. */
#ifndef RSP_BASE_NEAR_FILE_H
#define RSP_BASE_NEAR_FILE_H

/* Of the files in these folders (NULL-terminated; those that cannot be read have none) that end in
 * suffix, ".cat", the one whose name is nearest, with suffix or without; of equals the first by name.
 * NULL when none is near enough. Newly allocated. */
char *rsp_near_file (const char *name, const char *const *folders, const char *suffix);

#endif
