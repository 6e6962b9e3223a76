/* Candidate executions as JSON: the member `candidates` of a record (docs/schema.json), from which
 * the page is made. */
#pragma once

#include "explain/explanation.h"

/* An object with the candidates and with the executions of the explanations, each as a picture in
 * DOT with its explanation. Newly allocated text without line ends. */
char *candidates_to_json (const RspCandidateViews *candidates, const RspExplanations *explanations);
