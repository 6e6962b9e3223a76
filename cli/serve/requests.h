/* Requests of the page: HTTP, on the loopback address, below a random token. */
#pragma once

#include "cli/serve/checks.h"

#include <libsoup/soup.h>

typedef struct ServeSite {
  char *token, *host; /* host: "127.0.0.1:8080" */
  char *policy;       /* Content-Security-Policy */
  const char *page;
  JsonNode *texts;
  ServeChecks *checks;
  gboolean may_write;
} ServeSite;

/* Answers what comes to the server, which is about to listen. */
void serve_requests (SoupServer *server, ServeSite *site);
