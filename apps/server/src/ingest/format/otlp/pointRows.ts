import { RowRejected } from "../../value/rowRejected.js";
import { put, rowOf } from "./otlpContext.js";
import {
  doubleOf,
  type Fields,
  fieldsOf,
  integerOf,
  listOf,
  type Row,
  storedInteger,
  textOf,
  timeMsOf,
} from "./otlpValue.js";

const columns = new Set([
  ...["time", "start_time_ms", "name", "kind", "unit", "temporality", "monotonic", "value"],
  ...["count", "sum", "min", "max", "bounds", "buckets", "service"],
]);
const temporalities = [null, "delta", "cumulative"];
/** The bit of a point that says: there is none at this time. */
const noRecordedValue = 1;
const kinds = ["gauge", "sum", "histogram", "exponentialHistogram", "summary"] as const;

/** A row for each point of a metric, or why it is refused. */
export function* pointRows(record: unknown, context: Row): Generator<() => Row> {
  const metric = fieldsOf(record);
  for (const kind of kinds) {
    const points = fieldsOf(metric[kind]);
    for (const point of listOf(points.dataPoints))
      yield () => pointRow(fieldsOf(point), { metric, kind, points }, context);
  }
}

interface PointOf {
  readonly metric: Fields;
  readonly kind: (typeof kinds)[number];
  readonly points: Fields;
}

function pointRow(point: Fields, { metric, kind, points }: PointOf, context: Row): Row {
  if (kind === "exponentialHistogram" || kind === "summary") {
    const detail = `Metric ${String(metric.name).slice(0, 100)}: points of kind ${kind} are not stored; send number points or histograms with explicit bounds.`;
    throw new RowRejected("type-mismatch", detail);
  }
  const row: Row = Object.create(null);
  put(row, "time", timeMsOf(point.timeUnixNano));
  put(row, "start_time_ms", timeMsOf(point.startTimeUnixNano));
  put(row, "name", textOf(metric.name));
  row.kind = kind;
  put(row, "unit", textOf(metric.unit));
  put(row, "temporality", temporalities[Number(points.aggregationTemporality ?? 0)]);
  if (kind === "sum") row.monotonic = points.isMonotonic === true;
  const isRecorded = (Number(point.flags ?? 0) & noRecordedValue) === 0;
  if (isRecorded) addValues(row, point, kind);
  return rowOf(context, row, point, columns);
}

function addValues(row: Row, point: Fields, kind: PointOf["kind"]): void {
  if (kind !== "histogram") {
    const integer = integerOf(point.asInt);
    put(row, "value", integer === null ? doubleOf(point.asDouble) : storedInteger(integer));
    return;
  }
  const count = integerOf(point.count);
  put(row, "count", count === null ? null : storedInteger(count));
  for (const name of ["sum", "min", "max"]) put(row, name, doubleOf(point[name]));
  const bounds = listOf(point.explicitBounds);
  if (bounds.length > 0) row.bounds = bounds.map(String);
  const buckets = listOf(point.bucketCounts);
  if (buckets.length > 0) row.buckets = buckets.map(String);
}
