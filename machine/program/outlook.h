#pragma once

#include "machine/program/threads.h"

/* What lies ahead; the result lives as long as threads. */
const RspOutlook *rsp_threads_outlook (RspThreads *threads, guint thread, RspPoint point);
