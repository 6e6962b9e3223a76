/* Explanations as JSON: the member `explanation` of a record (docs/schema.json). */
#pragma once

#include "explain/explanation.h"

#include <json-glib/json-glib.h>

/* An array with one object per question; the first also has the reasons of the flags. The caller's.
 */
JsonNode *rsp_explanations_to_json (const RspExplanations *explanations);
