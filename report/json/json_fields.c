/* The members of a record's line, from which writer and reader follow. */
#include "report/json/json.h"

#define FIELD(type, name, kind, need, field)                                                       \
  { name, kind, need, G_STRUCT_OFFSET (type, field), NULL, NULL, 0 }
#define STATISTIC(name, kind)           FIELD (RspStatistics, #name, kind, RSP_JSON_ALWAYS, name)
#define STATE(name, kind, field)        FIELD (RspRecordState, name, kind, RSP_JSON_ALWAYS, field)
#define EVENT(name, kind)               FIELD (RspRecordEvent, #name, kind, RSP_JSON_ALWAYS, name)
#define RECORD(name, kind, need, field) FIELD (RspRecord, name, kind, need, field)
#define WORDS(name, need, field, words)                                                            \
  { name, RSP_JSON_WORD, need, G_STRUCT_OFFSET (RspRecord, field), words, NULL, 0 }
/* A field that the record of a log may not know. */
#define MAYBE(type, name, kind, need, field, bit)                                                  \
  { name, kind, need, G_STRUCT_OFFSET (type, field), NULL, NULL, RSP_UNKNOWN_##bit }
#define KEPT_NOWHERE(name, kind, need)                                                             \
  { name, kind, need, 0, NULL, NULL, 0 }
#define END                                                                                        \
  { NULL, 0, 0, 0, NULL, NULL, 0 }

#define MACHINE(name, kind, need, field) FIELD (RspMachineReport, name, kind, need, field)

static const RspJsonField machine_fields[] = {
  MACHINE ("name", RSP_JSON_TEXT, RSP_JSON_ALWAYS, machine),
  MACHINE ("mapping", RSP_JSON_TEXT, RSP_JSON_ALWAYS, mapping),
  MACHINE ("readings", RSP_JSON_TEXT, RSP_JSON_ALWAYS, readings),
  MACHINE ("model", RSP_JSON_TEXT, RSP_JSON_IF_SET, allowed_by),
  { "verdict", RSP_JSON_WORD, RSP_JSON_ALWAYS, G_STRUCT_OFFSET (RspMachineReport, verdict),
    rsp_soundness_names, NULL, 0 },
  MACHINE ("deadlock", RSP_JSON_BOOLEAN, RSP_JSON_ALWAYS, deadlock),
  MACHINE ("states", RSP_JSON_LARGE, RSP_JSON_ALWAYS, states),
  MACHINE ("steps", RSP_JSON_LARGE, RSP_JSON_ALWAYS, steps),
  MACHINE ("bytes", RSP_JSON_LARGE, RSP_JSON_ALWAYS, bytes),
  MACHINE ("unsound", RSP_JSON_LINES, RSP_JSON_IF_SET, unsound),
  MACHINE ("trace", RSP_JSON_LINES, RSP_JSON_IF_SET, trace),
  MACHINE ("deadlock_trace", RSP_JSON_LINES, RSP_JSON_IF_SET, deadlock_trace),
  MACHINE ("violated", RSP_JSON_TEXT, RSP_JSON_IF_SET, violated),
  MACHINE ("violated_trace", RSP_JSON_LINES, RSP_JSON_IF_SET, violated_trace),
  MACHINE ("bill", RSP_JSON_BILL, RSP_JSON_IF_SET, bill),
  END,
};

static const RspJsonField statistics_fields[] = {
#define COUNT(name)            STATISTIC (name, RSP_JSON_LARGE),
#define COUNT_AS(name, member) FIELD (RspStatistics, member, RSP_JSON_LARGE, RSP_JSON_ALWAYS, name),
#define SECONDS(name)          STATISTIC (name, RSP_JSON_REAL),
#include "enumerator/statistics.def"
  END,
};

const RspJsonField rsp_json_state_fields[] = {
  STATE ("state", RSP_JSON_PART, text),
  MAYBE (RspRecordState, "satisfies", RSP_JSON_BOOLEAN, RSP_JSON_ALWAYS, satisfies, SATISFIES),
  FIELD (RspRecordState, "undetermined", RSP_JSON_BOOLEAN, RSP_JSON_IF_ANY, undetermined),
  MAYBE (RspRecordState, "executions", RSP_JSON_COUNT, RSP_JSON_ALWAYS, executions, EXECUTIONS),
  MAYBE (RspRecordState, "undefined", RSP_JSON_COUNT, RSP_JSON_ALWAYS, n_undefined,
         STATE_N_UNDEFINED),
  END,
};

const RspJsonField rsp_json_event_fields[] = {
  EVENT (thread, RSP_JSON_THREAD),
  EVENT (line, RSP_JSON_NUMBER),
  EVENT (column, RSP_JSON_NUMBER),
  EVENT (text, RSP_JSON_PART),
  END,
};

const RspJsonField rsp_json_device_fields[] = {
  RECORD ("name", RSP_JSON_TEXT, RSP_JSON_OR_NULL, device),
  RECORD ("compiler", RSP_JSON_TEXT, RSP_JSON_OR_NULL, compiler),
  RECORD ("setup", RSP_JSON_TEXT, RSP_JSON_OR_NULL, setup),
  RECORD ("rounds", RSP_JSON_NUMBER, RSP_JSON_ALWAYS, rounds),
  KEPT_NOWHERE ("judgements", RSP_JSON_JUDGEMENTS, RSP_JSON_ALWAYS),
  END,
};

const RspJsonField rsp_json_record_fields[] = {
  KEPT_NOWHERE ("format", RSP_JSON_FORMATS, RSP_JSON_ALWAYS),
  RECORD ("index", RSP_JSON_NUMBER, RSP_JSON_ALWAYS, index),
  RECORD ("total", RSP_JSON_NUMBER, RSP_JSON_ALWAYS, total),
  RECORD ("column", RSP_JSON_NUMBER, RSP_JSON_ALWAYS, column),
  RECORD ("columns", RSP_JSON_NUMBER, RSP_JSON_ALWAYS, columns),
  RECORD ("shard", RSP_JSON_TEXT, RSP_JSON_IF_SET, shard),
  RECORD ("test", RSP_JSON_TEXT, RSP_JSON_ALWAYS, test),
  RECORD ("path", RSP_JSON_TEXT, RSP_JSON_ALWAYS, path),
  RECORD ("model", RSP_JSON_TEXT, RSP_JSON_ALWAYS, model),
  RECORD ("model_digest", RSP_JSON_TEXT, RSP_JSON_OR_NULL, model_digest),
  WORDS ("status", RSP_JSON_ALWAYS, status, rsp_status_names),
  RECORD ("reason", RSP_JSON_TEXT, RSP_JSON_OR_NULL, reason),
  RECORD ("kind", RSP_JSON_TEXT, RSP_JSON_OR_NULL, kind),
  RECORD ("condition", RSP_JSON_TEXT, RSP_JSON_OR_NULL, condition),
  WORDS ("observation", RSP_JSON_IF_OK, observation, rsp_observation_names),
  RECORD ("ok", RSP_JSON_BOOLEAN, RSP_JSON_IF_OK, answer),
  RECORD ("loop", RSP_JSON_BOOLEAN, RSP_JSON_ALWAYS, loop),
  RECORD ("has_undefined", RSP_JSON_BOOLEAN, RSP_JSON_ALWAYS, has_undefined),
  MAYBE (RspRecord, "positive", RSP_JSON_COUNT, RSP_JSON_ALWAYS, positive, COUNTS),
  MAYBE (RspRecord, "negative", RSP_JSON_COUNT, RSP_JSON_ALWAYS, negative, COUNTS),
  RECORD ("undetermined", RSP_JSON_COUNT, RSP_JSON_IF_ANY, undetermined),
  MAYBE (RspRecord, "bad", RSP_JSON_COUNT, RSP_JSON_ALWAYS, n_undefined, N_UNDEFINED),
  MAYBE (RspRecord, "undefined", RSP_JSON_UNDEFINED, RSP_JSON_IF_OK, undefined, UNDEFINED),
  RECORD ("flags", RSP_JSON_FLAGS, RSP_JSON_ALWAYS, flags),
  RECORD ("progress", RSP_JSON_LINES, RSP_JSON_IF_SET, progress),
  RECORD ("schedule", RSP_JSON_LINES, RSP_JSON_IF_SET, schedule),
  RECORD ("arrays", RSP_JSON_TEXT, RSP_JSON_IF_SET, arrays),
  RECORD ("states", RSP_JSON_STATES, RSP_JSON_ALWAYS, states),
  RECORD ("hash", RSP_JSON_TEXT, RSP_JSON_OR_NULL, hash),
  RECORD ("scope_hash", RSP_JSON_TEXT, RSP_JSON_OR_NULL, scope_hash),
  RECORD ("scopes", RSP_JSON_TEXT, RSP_JSON_OR_NULL, scopes),
  { "statistics", RSP_JSON_OBJECT, RSP_JSON_ALWAYS, G_STRUCT_OFFSET (RspRecord, statistics), NULL,
    statistics_fields, 0 },
  RECORD ("cuts", RSP_JSON_PRUNINGS, RSP_JSON_IF_SET, prunings),
  RECORD ("forced_by", RSP_JSON_FORCED_BY, RSP_JSON_IF_SET, prunings),
  { "machine", RSP_JSON_OBJECT, RSP_JSON_IF_SET, G_STRUCT_OFFSET (RspRecord, machine), NULL,
    machine_fields, 0 },
  RECORD ("seconds", RSP_JSON_REAL, RSP_JSON_ALWAYS, seconds),
  RECORD ("options", RSP_JSON_TEXT, RSP_JSON_OR_NULL, options),
  RECORD ("version", RSP_JSON_TEXT, RSP_JSON_OR_NULL, version),
  RECORD ("source", RSP_JSON_TEXT, RSP_JSON_OR_NULL, source),
  RECORD ("explanation", RSP_JSON_EXPLAINED, RSP_JSON_IF_EXPLAINED, explanation),
  RECORD ("candidates", RSP_JSON_NESTED, RSP_JSON_IF_SET, candidates),
  RECORD ("log", RSP_JSON_TEXT, RSP_JSON_IF_SET, log),
  KEPT_NOWHERE ("device", RSP_JSON_DEVICE, RSP_JSON_IF_DEVICE),
  END,
};
