/* Options that only herd has. Options of both programs are in option_table.c. */
#include "cli/options/foreign.h"

#include <glib.h>

#define DRAWING "`-show prop -o DIR -format svg` writes pictures of executions; `-html FILE` a page"
#define LAYOUT  "it changes herd's drawings only; here there is nothing to set"

static const struct
{
  const char *name, *instead;
} options[] = {
  { "evince", DRAWING },
  { "web", DRAWING },
  { "graph", LAYOUT },
  { "doshow", LAYOUT },
  { "unshow", LAYOUT },
  { "symetric", LAYOUT },
  { "showevents", LAYOUT },
  { "showpo", LAYOUT },
  { "showfinalrf", LAYOUT },
  { "showinitwrites", LAYOUT },
  { "showinitrf", LAYOUT },
  { "showthread", LAYOUT },
  { "shownote", LAYOUT },
  { "showlegend", LAYOUT },
  { "showkind", LAYOUT },
  { "squished", LAYOUT },
  { "edgeattr", LAYOUT },
  { "edgemerge", LAYOUT },
  { "splines", LAYOUT },
  { "margin", LAYOUT },
  { "pad", LAYOUT },
  { "scale", LAYOUT },
  { "xscale", LAYOUT },
  { "yscale", LAYOUT },
  { "fontname", LAYOUT },
  { "fontsize", LAYOUT },
  { "texmacros", LAYOUT },
  { "tikz", LAYOUT },
  { "mathjax", LAYOUT },
  { "outputdir", "`-o DIR` writes a log per model into DIR" },
  { "suffix", "`-o DIR` writes a log per model into DIR" },
  { "dumpes", "`-json` prints what was found; `-v` shows the events of a flag" },
  { "libdir", "`-I DIR` looks for models in DIR too" },
  { "set-libdir", "`-I DIR` looks for models in DIR too" },
  { "bell", "models of C and OpenCL tests need no Bell file" },
  { "macros", "tests are read as they are, without macros" },
  { "debug", "`-v` says what was done, `-v -v` more" },
  { "verbose", "`-v` says what was done" },
  { "hexa", "values print in decimal" },
  { "hexadecimal", "values print in decimal" },
  { "optace", "the search needs no such promise of the model" },
  { "dumpallfaults", "tests of C and OpenCL have no faults" },
  { "maxphantom", "tests of C and OpenCL have no page tables" },
  { "archcheck", "a model that includes the other one runs, whatever its architecture" },
  { "badflag", "`-badexecs false` leaves out logs of tests with undefined behaviour" },
  { "throughflag", "`-through` keeps executions that the model forbids" },
  { "strictskip", "`-skipcheck NAME` leaves out a check" },
  { "checkfilter", "`filter` in a test keeps the executions that satisfy it" },
  { "checkname", "`-names FILE` runs the tests whose names are in it" },
  { "excl", "`-names FILE` runs the tests whose names are in it" },
  { "rename", "tests keep their names" },
};

const char *
cli_option_of_herd (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    if (g_str_equal (options[i].name, name))
      return options[i].instead;
  return NULL;
}
