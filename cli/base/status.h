/* The exit status of the process. */
#pragma once

enum {
  CLI_STATUS_OK = 0,
  CLI_STATUS_UNFINISHED = 1, /* something could not be read or completely checked */
  CLI_STATUS_USAGE = 2,
  CLI_STATUS_DIFFERENT = 3 /* under -expect: some result is not as expected */
};
