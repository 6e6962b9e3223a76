#include "parser/dsom/parse.h"

#include "parser/dsom/resolve.h"

#include "generated/parser/dsom/grammar.h"

gboolean
rsp_dsom_recognises (const RspSource *source)
{
  return rsp_dsom_scan_recognises (source);
}

static gboolean
run_grammar (DsomParser *parser, RspSource *source)
{
  rsp_dsom_scan_begin (&parser->scan, source, parser->arena, parser->diagnostics);
  int status = rsp_dsom_yyparse (parser);
  rsp_dsom_scan_end (&parser->scan);
  return status == 0;
}

RspDsomProgram *
rsp_dsom_parse (RspSource *source, RspDiagnostics *diagnostics)
{
  RspArena *arena = rsp_arena_new ();
  RspDsomProgram *program = rsp_arena_new0 (arena, RspDsomProgram, 1);
  program->arena = arena;
  program->source = rsp_source_ref (source);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  DsomParser parser = { .arena = arena,
                        .diagnostics = diagnostics,
                        .names = g_hash_table_new (g_str_hash, g_str_equal),
                        .kernel_names = g_hash_table_new (g_str_hash, g_str_equal),
                        .assigned = g_ptr_array_new () };
  gboolean good = run_grammar (&parser, source);
  if (good && rsp_diagnostics_count_errors (diagnostics) == errors)
    dsom_resolve (program, &parser);
  g_hash_table_unref (parser.names);
  g_hash_table_unref (parser.kernel_names);
  g_ptr_array_unref (parser.assigned);
  if (good && rsp_diagnostics_count_errors (diagnostics) == errors)
    return program;
  rsp_dsom_program_free (program);
  return NULL;
}

void
rsp_dsom_program_free (RspDsomProgram *program)
{
  if (!program)
    return;
  RspArena *arena = program->arena; /* holds the program itself */
  rsp_source_unref (program->source);
  rsp_arena_free (arena);
}

/* ---- The condition ---- */

static const char *
operator_text (RspOperator op)
{
  static const char *const texts[] = { [RSP_OP_EQ] = "=",  [RSP_OP_NE] = "!=", [RSP_OP_LT] = "<",
                                       [RSP_OP_LE] = "<=", [RSP_OP_GT] = ">",  [RSP_OP_GE] = ">=" };
  return texts[op];
}

static void
format_prop (const RspProp *prop, GString *out)
{
  static const char *const joints[]
      = { [RSP_PROP_AND] = " /\\ ", [RSP_PROP_OR] = " \\/ ", [RSP_PROP_IMPLIES] = " => " };
  switch (prop->kind)
    {
    case RSP_PROP_TRUE:
    case RSP_PROP_FALSE:
      g_string_append (out, prop->kind == RSP_PROP_TRUE ? "true" : "false");
      break;
    case RSP_PROP_ATOM:
      g_string_append_printf (out, "%s%s%s", prop->left.text, operator_text (prop->op),
                              prop->right.text);
      break;
    case RSP_PROP_NOT:
      g_string_append (out, "not (");
      format_prop (prop->a, out);
      g_string_append_c (out, ')');
      break;
    default:
      {
        gboolean left = prop->a->kind > RSP_PROP_NOT
                        && (prop->a->kind != prop->kind || prop->kind == RSP_PROP_IMPLIES);
        gboolean right = prop->b->kind > RSP_PROP_NOT;
        g_string_append (out, left ? "(" : "");
        format_prop (prop->a, out);
        g_string_append_printf (out, "%s%s%s", left ? ")" : "", joints[prop->kind],
                                right ? "(" : "");
        format_prop (prop->b, out);
        g_string_append (out, right ? ")" : "");
      }
    }
}

char *
rsp_dsom_format_condition (const RspDsomProgram *program)
{
  static const char *const words[]
      = { [RSP_EXISTS] = "exists (", [RSP_NOT_EXISTS] = "~exists (", [RSP_FORALL] = "forall (" };
  GString *out = g_string_new (words[program->quantifier]);
  format_prop (program->condition, out);
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}

/* ---- The hash ---- */

char *
rsp_dsom_hash (const RspDsomProgram *program)
{
  g_autoptr (RspArena) arena = rsp_arena_new ();
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);
  TokenScan scan;
  DsomToken token;
  TokenRange range;
  rsp_dsom_scan_begin (&scan, program->source, arena, diagnostics);
  while (rsp_dsom_flex_lex (&token, &range, scan.flex) > 0)
    {
      g_checksum_update (sum, (const guchar *) program->source->text + range.begin,
                         (gssize) (range.end - range.begin));
      g_checksum_update (sum, (const guchar *) " ", 1);
    }
  rsp_dsom_scan_end (&scan);
  return g_strdup (g_checksum_get_string (sum));
}
