/* Options of herd that have no meaning here. */
#pragma once

/* What to do instead of the option, a sentence without a full stop; NULL if herd does not have such
 * an option. */
const char *cli_option_of_herd (const char *name);
