import { logRow } from "./logRow.js";
import {
  logRecord,
  logsRequest,
  metric,
  metricsRequest,
  span,
  tracesRequest,
} from "./otlpShapes.js";
import type { Row } from "./otlpValue.js";
import { pointRows } from "./pointRows.js";
import type { MessageShape } from "./protobuf.js";
import { spanRow } from "./spanRow.js";

/** One of the three kinds of requests. */
export interface OtlpSignal {
  readonly request: MessageShape;
  readonly record: MessageShape;
  /** What the lists of a request are called. */
  readonly names: { readonly resources: string; readonly scopes: string; readonly records: string };
  /** A function for each row of a record; it throws RowRejected where the row is refused. */
  rowsOf(record: unknown, context: Row): Iterable<() => Row>;
}

export type OtlpSignalName = "logs" | "traces" | "metrics";

export const otlpSignals: Readonly<Record<OtlpSignalName, OtlpSignal>> = {
  logs: {
    ...{ request: logsRequest, record: logRecord },
    names: { resources: "resourceLogs", scopes: "scopeLogs", records: "logRecords" },
    rowsOf: (record, context) => [() => logRow(record, context)],
  },
  traces: {
    ...{ request: tracesRequest, record: span },
    names: { resources: "resourceSpans", scopes: "scopeSpans", records: "spans" },
    rowsOf: (record, context) => [() => spanRow(record, context)],
  },
  metrics: {
    ...{ request: metricsRequest, record: metric },
    names: { resources: "resourceMetrics", scopes: "scopeMetrics", records: "metrics" },
    rowsOf: pointRows,
  },
};
