/* Options that only herd has. Options of both programs are in option_table.c. */
#include "cli/options/foreign.h"

#define DRAWING(name)                                                                              \
  { name, TRUE, NULL }
#define VIEWER(name)                                                                               \
  { name, FALSE, NULL }

static const CliForeign options[] = {
  DRAWING ("arrowsize"),
  DRAWING ("boxscale"),
  DRAWING ("brackets"),
  DRAWING ("classes"),
  DRAWING ("cycles"),
  DRAWING ("dotcom"),
  DRAWING ("dotheader"),
  DRAWING ("dotmode"),
  DRAWING ("dsiy"),
  DRAWING ("edgefontsizedelta"),
  DRAWING ("edgemerge"),
  DRAWING ("extrachars"),
  DRAWING ("finalrfpos"),
  DRAWING ("fixedsize"),
  DRAWING ("fontname"),
  DRAWING ("fontsize"),
  DRAWING ("graph"),
  DRAWING ("initpos"),
  DRAWING ("initrfpos"),
  DRAWING ("labelbox"),
  DRAWING ("labelinit"),
  DRAWING ("margin"),
  DRAWING ("mathjax"),
  DRAWING ("mono"),
  DRAWING ("movelabel"),
  DRAWING ("noid"),
  DRAWING ("oneinit"),
  DRAWING ("overlap"),
  DRAWING ("pad"),
  DRAWING ("penwidth"),
  DRAWING ("ptscale"),
  DRAWING ("relabel"),
  DRAWING ("scale"),
  DRAWING ("sep"),
  DRAWING ("shift"),
  DRAWING ("shortlegend"),
  DRAWING ("showevents"),
  DRAWING ("showfinalrf"),
  DRAWING ("showflag"),
  DRAWING ("showinitrf"),
  DRAWING ("showinitwrites"),
  DRAWING ("showkind"),
  DRAWING ("showlegend"),
  DRAWING ("shownote"),
  DRAWING ("showobserved"),
  DRAWING ("showpo"),
  DRAWING ("showraw"),
  DRAWING ("showthread"),
  DRAWING ("siwidth"),
  DRAWING ("splines"),
  DRAWING ("squished"),
  DRAWING ("symetric"),
  DRAWING ("texmacros"),
  DRAWING ("threadposy"),
  DRAWING ("tikz"),
  DRAWING ("view"),
  DRAWING ("withbox"),
  DRAWING ("xscale"),
  DRAWING ("yscale"),
  VIEWER ("evince"),
  VIEWER ("gv"),
  VIEWER ("preview"),
  VIEWER ("web"),
  { "bell", TRUE, "models of C and OpenCL tests need no Bell file" },
  { "macros", TRUE, "tests are read as they are, without macros" },
  { "c11", FALSE, "a test says whether it is in C" },
  { "candidates", TRUE, "`-json` and `-v` print counts" },
  { "exit", TRUE, "a faulty test does not stop the others" },
  { "switch", FALSE, "there is nothing to switch" },
  { "machsize", TRUE, "accesses have the sizes of their types" },
  { "endian", TRUE, "tests of C and OpenCL have no mixed sizes" },
  { "optace", TRUE, "the search needs no such promise of the model" },
  { "maxphantom", TRUE, "tests of C and OpenCL have no page tables" },
  { "dumpallfaults", TRUE, "tests of C and OpenCL have no faults" },
  { "statelessrc11", TRUE, "the search builds no executions that RC11 forbids" },
  { "archcheck", TRUE, "a model that includes the other one runs, whatever its architecture" },
  { "restrict", TRUE, "all tests are printed" },
  { "throughflag", TRUE, "`-through` keeps executions that the model forbids" },
  { "strictskip", TRUE, "`-skipcheck NAME` leaves out a check" },
  { "checkfilter", TRUE, "`filter` in a test always holds" },
  { "dumpes", TRUE, "`-json` prints what was found; `-v` shows the events of a flag" },
  { "libdir", FALSE, "`-I DIR` looks for models in DIR too" },
  { "set-libdir", TRUE, "`-I DIR` looks for models in DIR too" },
  { "debug", TRUE, "`-v` says what was done, `-v -v` more" },
  { "verbose", TRUE, "`-v` says what was done" },
  { "hexa", TRUE, "values print in decimal" },
  { "hexadecimal", TRUE, "values print in decimal" },
  { "outputdir", TRUE, "`-o DIR` writes a log per model into DIR" },
  { "suffix", TRUE, "`-o DIR` writes a log per model into DIR" },
  { "checkname", TRUE, "`-names FILE` runs the tests whose names are in it" },
  { "excl", TRUE, "`-names FILE` runs the tests whose names are in it" },
  { "oknames", TRUE, "`-names FILE` runs the tests whose names are in it" },
  { "nonames", TRUE, "`-names FILE` runs the tests whose names are in it" },
  { "rename", TRUE, "tests keep their names" },
};

const CliForeign *cli_option_of_herd (const char *name) {
  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    if (g_str_equal (options[i].name, name))
      return &options[i];
  return NULL;
}

void cli_foreign_ignore (const CliForeign *option, RspSpan at, GString *drawings,
                         RspDiagnostics *diagnostics) {
  const char *dash = at.source ? "" : "-";
  if (option->why)
    rsp_warning (diagnostics, RSP_NOWHERE, NULL, "`%s%s` of herd is ignored: %s", dash,
                 option->name, option->why);
  else
    g_string_append_printf (drawings, "%s`%s%s`", drawings->len ? ", " : "", dash, option->name);
}

void cli_foreign_report (const GString *drawings, RspDiagnostics *diagnostics) {
  if (drawings->len)
    rsp_warning (
        diagnostics, RSP_NOWHERE, NULL,
        "of herd's drawings, ignored: %s (`-show prop -o DIR -format svg` writes pictures)",
        drawings->str);
}
