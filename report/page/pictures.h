/* Candidate executions in the page, compressed, since there may be thousands of pictures. */
#pragma once

#include "report/page/page.h"

/* The candidates of a test's records, one per model (NULL where there is none):
 *
 *   { "pictures": [SVG], "cells": [per model: null or record->candidates] }
 *
 * where each picture has `svg`, a number of that list, in place of `dot`; as base64 of zlib's
 * format. Newly allocated; NULL if no record has candidates, or nothing can be drawn. */
char *rsp_page_pack_pictures (const RspRecord *const *cells, guint n_models,
                              const RspPageDrawing *drawing);
