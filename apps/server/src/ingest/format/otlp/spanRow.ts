import { attributesOf, put, rowOf } from "./otlpContext.js";
import {
  fieldsOf,
  integerOf,
  listOf,
  type Row,
  storedInteger,
  textOf,
  timeMsOf,
} from "./otlpValue.js";

const columns = new Set([
  ...["time", "name", "kind", "duration_us", "status", "status_message", "service"],
  ...["trace_id", "span_id", "parent_span_id", "trace_state", "events", "links"],
]);
const kinds = ["unspecified", "internal", "server", "client", "producer", "consumer"];
const statuses = ["unset", "ok", "error"];
const nanosPerUs = 1_000n;

/** The row of a span; its time is its start. */
export function spanRow(record: unknown, context: Row): Row {
  const span = fieldsOf(record);
  const row: Row = Object.create(null);
  put(row, "time", timeMsOf(span.startTimeUnixNano));
  put(row, "name", textOf(span.name));
  put(row, "kind", kinds[Number(span.kind ?? 0)]);
  const start = integerOf(span.startTimeUnixNano) ?? 0n;
  const end = integerOf(span.endTimeUnixNano) ?? 0n;
  // Without its end a span has no duration; clocks that went back leave a negative one.
  if (end !== 0n) row.duration_us = storedInteger((end - start) / nanosPerUs);
  put(row, "trace_id", idOf(span.traceId));
  put(row, "span_id", idOf(span.spanId));
  put(row, "parent_span_id", idOf(span.parentSpanId));
  put(row, "trace_state", textOf(span.traceState));
  const { code = 0, message } = fieldsOf(span.status);
  put(row, "status", statuses[Number(code)]);
  put(row, "status_message", textOf(message));
  addEvents(row, listOf(span.events));
  const links = listOf(span.links).flatMap((link) => idOf(fieldsOf(link).traceId) ?? []);
  if (links.length > 0) row.links = links;
  return rowOf(context, row, record, columns);
}

const idOf = (value: unknown): string | undefined => textOf(value)?.toLowerCase();

/** Names in their order, and what the first exception says. */
function addEvents(row: Row, events: readonly unknown[]): void {
  if (events.length === 0) return;
  row.events = events.map((event) => textOf(fieldsOf(event).name) ?? "");
  const exception = events.find((event) => fieldsOf(event).name === "exception");
  for (const [key, value] of attributesOf(exception))
    if (key.startsWith("exception.")) row[key] = value;
}
