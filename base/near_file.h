/* Near files: the file that a misspelt name probably means. */
#ifndef RSP_BASE_NEAR_FILE_H
#define RSP_BASE_NEAR_FILE_H

/* Among the files in these folders (NULL-terminated; unreadable ones are skipped) that end in
 * suffix, such as ".cat", the one whose name is nearest to `name`, with or without suffix; of
 * equally near ones the first by name. NULL if none is near enough. Newly allocated. */
char *rsp_near_file (const char *name, const char *const *folders, const char *suffix);

#endif
