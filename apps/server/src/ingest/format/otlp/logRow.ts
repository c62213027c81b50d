import { put, rowOf } from "./otlpContext.js";
import { fieldsOf, printValue, type Row, storedValue, textOf, timeMsOf } from "./otlpValue.js";

const columns = new Set([
  ...["time", "observed_time_ms", "severity", "severity_number", "body", "event_name"],
  ...["trace_id", "span_id", "service"],
]);
/** Of severity numbers 1 to 24, four for each. */
const severities = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"];

/** The row of a log record. Without a time of its own, the one at which it was observed counts. */
export function logRow(record: unknown, context: Row): Row {
  const fields = fieldsOf(record);
  const row: Row = Object.create(null);
  const observedMs = timeMsOf(fields.observedTimeUnixNano);
  put(row, "time", timeMsOf(fields.timeUnixNano) ?? observedMs);
  put(row, "observed_time_ms", observedMs);
  const severity = Number(fields.severityNumber ?? 0);
  const level = Number.isInteger(severity) ? severities[Math.ceil(severity / 4) - 1] : undefined;
  put(row, "severity", textOf(fields.severityText) ?? level);
  if (level !== undefined) row.severity_number = severity;
  const body = storedValue(fields.body);
  put(row, "body", typeof body === "object" && body !== null ? printValue(body) : body);
  put(row, "event_name", textOf(fields.eventName));
  put(row, "trace_id", textOf(fields.traceId)?.toLowerCase());
  put(row, "span_id", textOf(fields.spanId)?.toLowerCase());
  return rowOf(context, row, record, columns);
}
