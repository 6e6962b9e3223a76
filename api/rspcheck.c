#include "rspcheck.h"

const char *rspcheck_version (void) { return RSP_VERSION; }
