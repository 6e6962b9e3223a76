#include "lexer/scan.h"

RspSpan rsp_scan_span (const TokenScan *scan, TokenRange range) {
  return (RspSpan){ scan->source, range.begin, range.end };
}

const char *rsp_scan_text (const TokenScan *scan, TokenRange range) {
  return rsp_arena_strndup (scan->arena, scan->source->text + range.begin, range.end - range.begin);
}

int rsp_scan_error (const TokenScan *scan, TokenRange range, const char *message) {
  rsp_error (scan->diagnostics, rsp_scan_span (scan, range), NULL, "%s", message);
  return TOKEN_ERROR;
}
