#include "api/run.h"
#include "report/evidence.h"

#include "enumerator/search/evidence.h"

/* ---- Where models are looked for ---- */

static void
add_folder (GPtrArray *folders, char *folder)
{
  if (g_file_test (folder, G_FILE_TEST_IS_DIR))
    g_ptr_array_add (folders, folder);
  else
    g_free (folder);
}

/* Models lie in cat/ beside the program in a checkout, in ../share beside bin/ when installed. */
static void
add_installed (GPtrArray *folders)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  if (program)
    {
      g_autofree char *beside = g_path_get_dirname (program);
      g_autofree char *above = g_path_get_dirname (beside);
      add_folder (folders, g_build_filename (beside, "cat", NULL));
      add_folder (folders, g_build_filename (above, "share", "rspcheck", "cat", NULL));
    }
  add_folder (folders, g_strdup (RSP_CAT_DIR));
}

char **
rsp_model_directories (const char *const *first, const char *test)
{
  GPtrArray *folders = g_ptr_array_new ();
  for (guint i = 0; first && first[i]; i++)
    g_ptr_array_add (folders, g_strdup (first[i]));
  g_autofree char *folder = g_path_get_dirname (test ? test : "");
  if (!g_str_equal (folder, ".")) /* that is "as given" */
    g_ptr_array_add (folders, g_strdup (folder));
  g_auto (GStrv) library = g_strsplit (g_getenv ("RSPCHECK_LIB") ?: "", ":", -1);
  for (guint i = 0; library[i]; i++)
    if (*library[i])
      g_ptr_array_add (folders, g_strdup (library[i]));
  add_installed (folders);
  g_ptr_array_add (folders, NULL);
  return (char **) g_ptr_array_free (folders, FALSE);
}

/* ---- Runs ---- */

RspRecord *
rsp_run_begin (const RspProgram *program, const char *path, const char *label, const char *reason)
{
  RspRecord *record = rsp_record_new (program->name, path, label, reason);
  rsp_record_set_program (record, program);
  return record;
}

static void
find_evidence (const RspModel *model, const RspRunOptions *options, const RspOutcome *outcome,
               RspRecord *record)
{
  RspCheckOptions rest = rsp_check_options_rest (&options->check, record->seconds);
  g_autoptr (GPtrArray) evidence = rsp_evidence_find (model, &rest, outcome);
  rsp_record_set_evidence (record, evidence);
}

RspStop
rsp_run (const RspProgram *program, const RspModel *model, const RspRunOptions *options,
         RspRecord *record, RspDiagnostics *diagnostics)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options->check, diagnostics);
  rsp_record_set_outcome (record, outcome, &options->check);
  record->seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  if (options->evidence && rsp_record_is_ok (record))
    find_evidence (model, options, outcome, record);
  return outcome->stop;
}
