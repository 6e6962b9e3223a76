/* Declarations of OpenCL C, read from its tokens as the grammar of parser/kernel/ reads them, but
 * passing over what is wrong. */
#include "lsp/languages/kernel_declarations.h"
#include "parser/kernel/kernel.h"

#include <string.h>

enum {
  DEEPEST = 200 /* statements, or structures, within each other */
};

typedef LspKernelToken Token;

typedef struct Reader {
  LspKernelNames *all;
  RspSource *source;
  GArray *tokens; /* of Token */
  guint at;       /* the token that is looked at */
  guint depth;    /* of statements */
  guint records;  /* within each other */
} Reader;

/* ---- Tokens ---- */

static Token *ahead (const Reader *reader, guint n) {
  static Token none = { .kind = TOKEN_EOF };
  guint i = reader->at + n;
  return i < reader->tokens->len ? &g_array_index (reader->tokens, Token, i) : &none;
}

static int kind_here (const Reader *reader) { return ahead (reader, 0)->kind; }

static gboolean take (Reader *reader, int kind) {
  gboolean is_it = kind_here (reader) == kind;
  reader->at += is_it;
  return is_it;
}

/* The end of the token before this one. */
static guint end_before (const Reader *reader) {
  return reader->at ? g_array_index (reader->tokens, Token, reader->at - 1).end : 0;
}

static gboolean is_one_of (int kind, const char *characters) {
  return kind > TOKEN_EOF && kind < TOKEN_ERROR && strchr (characters, kind);
}

/* Behind this token or, if it is a bracket, the one that closes it. */
static void skip_part (Reader *reader) {
  guint depth = 0;
  do {
    int kind = kind_here (reader);
    depth += is_one_of (kind, "([{");
    depth -= depth && is_one_of (kind, ")]}");
    reader->at += kind != TOKEN_EOF;
  } while (depth && kind_here (reader) != TOKEN_EOF);
}

/* To one of the characters outside of brackets. */
static void skip_to (Reader *reader, const char *ends) {
  while (kind_here (reader) != TOKEN_EOF && !is_one_of (kind_here (reader), ends))
    skip_part (reader);
}

/* ---- Declarations ---- */

/* Declares a word from there on; its number. */
static guint declare (Reader *reader, Token *token, LspKernelKind kind) {
  token->is_member = kind == LSP_KERNEL_MEMBER;
  return lsp_kernel_declare (reader->all, reader->source, token, kind, reader->depth == 0);
}

static void end_scope (Reader *reader, guint first) {
  lsp_kernel_end_scope (reader->all, first, end_before (reader));
}

static gboolean read_declaration (Reader *reader, LspKernelKind kind);
static void read_statement (Reader *reader);

typedef enum Specifier {
  NO_SPECIFIER,
  QUALIFIER, /* `const`, a macro */
  WHOLE_TYPE /* of the language, the text, or a file that is not known (`T x`, `T *x;`) */
} Specifier;

/* What the name here says before the name that is declared. */
static Specifier specifier_here (const Reader *reader) {
  const Token *token = ahead (reader, 0);
  if (token->kind != KERNEL_TOKEN_NAME)
    return NO_SPECIFIER;
  const LspKernelName *name
      = lsp_kernel_look_up (reader->all, token->word, FALSE, FALSE, token->begin);
  if (name && name->kind != LSP_KERNEL_MACRO)
    return name->kind == LSP_KERNEL_TYPE ? WHOLE_TYPE : NO_SPECIFIER;
  if (rsp_kernel_is_type_word (token->word))
    return rsp_kernel_is_specifier (token->word) ? WHOLE_TYPE : QUALIFIER;
  guint next = 1;
  while (ahead (reader, next)->kind == '*')
    next++;
  gboolean is_one = ahead (reader, next)->kind == KERNEL_TOKEN_NAME
                    && (next == 1 || is_one_of (ahead (reader, next + 1)->kind, ";=,)["));
  return !is_one ? NO_SPECIFIER : name ? QUALIFIER : WHOLE_TYPE;
}

static void read_enumerators (Reader *reader) {
  while (kind_here (reader) != TOKEN_EOF && kind_here (reader) != '}') {
    if (kind_here (reader) == KERNEL_TOKEN_NAME)
      declare (reader, ahead (reader, 0), LSP_KERNEL_ENUMERATOR);
    skip_to (reader, ",}");
    take (reader, ',');
  }
}

/* `struct s { … }`, from its tag on. */
static void read_record (Reader *reader, gboolean is_enum) {
  if (kind_here (reader) == KERNEL_TOKEN_NAME) {
    if (ahead (reader, 1)->kind == '{')
      declare (reader, ahead (reader, 0), LSP_KERNEL_TAG);
    reader->at++;
  }
  if (reader->records == DEEPEST || !take (reader, '{'))
    return;
  reader->records++;
  if (is_enum)
    read_enumerators (reader);
  while (kind_here (reader) != TOKEN_EOF && kind_here (reader) != '}')
    if (!read_declaration (reader, LSP_KERNEL_MEMBER))
      skip_part (reader);
  reader->records--;
  take (reader, '}');
}

/* What a declaration begins with; FALSE if that is not here. */
static gboolean read_specifiers (Reader *reader, gboolean *is_typedef) {
  guint begin = reader->at;
  for (gboolean has_type = FALSE;;) {
    const Token *token = ahead (reader, 0);
    gboolean is_record = token->kind == KERNEL_TOKEN_STRUCT || token->kind == KERNEL_TOKEN_UNION
                         || token->kind == KERNEL_TOKEN_ENUM;
    gboolean is_storage = token->kind == KERNEL_TOKEN_KERNEL || token->kind == KERNEL_TOKEN_STORAGE;
    gboolean is_word = token->kind == KERNEL_TOKEN_NAME && rsp_kernel_is_type_word (token->word);
    Specifier specifier = has_type ? (is_word ? QUALIFIER : NO_SPECIFIER) : specifier_here (reader);
    if (token->kind == KERNEL_TOKEN_TYPEDEF)
      *is_typedef = TRUE;
    else if (!is_record && !is_storage && specifier == NO_SPECIFIER)
      return reader->at > begin;
    reader->at++;
    if (is_record)
      read_record (reader, token->kind == KERNEL_TOKEN_ENUM);
    has_type |= is_record || specifier == WHOLE_TYPE;
  }
}

/* Declares the name of a declarator and skips its arrays; the name's number, and its token, or
 * NULL. */
static guint read_declarator (Reader *reader, LspKernelKind kind, const Token **name) {
  guint number = 0, depth = 0;
  for (*name = NULL;; reader->at++) {
    Token *token = ahead (reader, 0);
    if (token->kind == KERNEL_TOKEN_NAME && !*name
        && (!rsp_kernel_is_type_word (token->word)
            || ahead (reader, 1)->kind != KERNEL_TOKEN_NAME)) {
      gboolean is_function = kind == LSP_KERNEL_VARIABLE && ahead (reader, 1)->kind == '(';
      number = declare (reader, token, is_function ? LSP_KERNEL_FUNCTION : kind);
      *name = token;
    } else if (token->kind == '(' && !*name)
      depth++;
    else if (token->kind == ')' && depth)
      depth--;
    else if (token->kind != '*' && (token->kind != KERNEL_TOKEN_NAME || *name))
      break;
  }
  while (kind_here (reader) == '[')
    skip_part (reader);
  return number;
}

/* The parameters of a function whose name has the number and the token, and its body, if that
 * follows. */
static void read_function (Reader *reader, guint number, const Token *token) {
  guint first = reader->all->names->len;
  gboolean is_typedef;
  while (take (reader, '(') || take (reader, ',')) {
    const Token *name;
    read_specifiers (reader, &is_typedef);
    read_declarator (reader, LSP_KERNEL_PARAMETER, &name);
    skip_to (reader, ",);{}");
  }
  take (reader, ')');
  if (kind_here (reader) == '{') {
    RspSpan span = { reader->source, token->begin, token->end };
    read_statement (reader);
    lsp_kernel_nth (reader->all, number)->span = span;
    lsp_kernel_nth (reader->all, number)->whole_end = end_before (reader);
  }
  end_scope (reader, first);
}

/* FALSE if there is none here. */
static gboolean read_declaration (Reader *reader, LspKernelKind kind) {
  gboolean is_typedef = FALSE;
  if (!read_specifiers (reader, &is_typedef))
    return FALSE;
  do {
    const Token *name;
    guint number = read_declarator (reader, is_typedef ? LSP_KERNEL_TYPE : kind, &name);
    if (name && lsp_kernel_nth (reader->all, number)->kind == LSP_KERNEL_FUNCTION
        && kind_here (reader) == '(') {
      read_function (reader, number, name);
      if (kind_here (reader) != ';')
        return TRUE;
    }
    skip_to (reader, kind_here (reader) == '=' ? ",;}" : ",;{}");
    if (kind_here (reader) == '{')
      return TRUE;
  } while (take (reader, ','));
  take (reader, ';');
  return TRUE;
}

/* ---- Statements ---- */

/* Up to its end, behind the brace. */
static void read_block (Reader *reader) {
  guint first = reader->all->names->len;
  while (kind_here (reader) != TOKEN_EOF && !take (reader, '}'))
    read_statement (reader);
  end_scope (reader, first);
}

/* `for (int i = 0; …; …) statement`, from the parenthesis on. */
static void read_for (Reader *reader) {
  guint first = reader->all->names->len;
  if (take (reader, '(') && !read_declaration (reader, LSP_KERNEL_VARIABLE))
    skip_to (reader, ";)}");
  skip_to (reader, ")}");
  take (reader, ')');
  read_statement (reader);
  end_scope (reader, first);
}

static void read_inner (Reader *reader) {
  switch (kind_here (reader)) {
  case '{':
    reader->at++;
    read_block (reader);
    break;
  case KERNEL_TOKEN_FOR:
    reader->at++;
    read_for (reader);
    break;
  case KERNEL_TOKEN_IF:
  case KERNEL_TOKEN_WHILE:
  case KERNEL_TOKEN_SWITCH:
    reader->at++;
    skip_part (reader);
    read_statement (reader);
    break;
  case KERNEL_TOKEN_ELSE:
  case KERNEL_TOKEN_DO:
    reader->at++;
    read_statement (reader);
    break;
  default:
    if (read_declaration (reader, LSP_KERNEL_VARIABLE))
      break;
    skip_to (reader, ";{}");
    take (reader, ';');
  }
}

static void read_statement (Reader *reader) {
  guint begin = reader->at;
  if (reader->depth++ < DEEPEST)
    read_inner (reader);
  reader->depth--;
  if (reader->at == begin)
    skip_part (reader);
  while (kind_here (reader) == KERNEL_TOKEN_ELSE)
    read_inner (reader);
}

void lsp_kernel_read_declarations (LspKernelNames *all, RspSource *source, GArray *tokens) {
  Reader reader = { .all = all, .source = source, .tokens = tokens };
  while (kind_here (&reader) != TOKEN_EOF)
    if (!read_declaration (&reader, LSP_KERNEL_VARIABLE))
      skip_part (&reader);
}
