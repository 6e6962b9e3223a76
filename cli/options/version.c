#include "cli/options/version.h"
#include "generated/cli/version.h"

void
cli_version_format (GString *out)
{
  g_string_append (out, "rspcheck " RSP_VERSION "\n");
  if (*RSP_COMMIT)
    g_string_append (out, "Built from commit " RSP_COMMIT "\n");
  g_string_append (out, RSP_NEWS);
}
