/* What is said of wrong files: each FOLDER/NAME.SUFFIX against NAME.expected beside it, letter by
 * letter. RSP_PROMOTE=1 writes the expected files anew, to be reviewed. */
#ifndef RSP_COMPLAINTS_H
#define RSP_COMPLAINTS_H

#include "base/diagnostic.h"

/* What reading a file prints, newly allocated. */
typedef char *(*Complain) (const char *path);

/* Fails the test at work unless all files (at least `least`) are complained of as expected. */
void complaints_check (const char *folder, const char *suffix, guint least, Complain complain);
/* All diagnostics as printed, newly allocated. */
char *complaints_text (const RspDiagnostics *diagnostics);

#endif
