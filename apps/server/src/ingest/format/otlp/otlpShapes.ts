import type { MessageShape } from "./protobuf.js";

/**
 * The messages of `opentelemetry/proto/*` (1.x), with the field numbers of the published `.proto`
 * files and the names of their JSON form.
 */
type FieldList =
  ReturnType<MessageShape["fields"]> extends ReadonlyMap<number, infer Field>
    ? readonly (readonly [number, Field])[]
    : never;

function shape(list: () => FieldList): MessageShape {
  let fields: ReturnType<MessageShape["fields"]> | null = null;
  return {
    fields: () => {
      fields ??= new Map(list());
      return fields;
    },
  };
}

const anyValue: MessageShape = shape(() => [
  [1, { name: "stringValue", type: "string" }],
  [2, { name: "boolValue", type: "bool" }],
  [3, { name: "intValue", type: "int64" }],
  [4, { name: "doubleValue", type: "double" }],
  [5, { name: "arrayValue", type: values }],
  [6, { name: "kvlistValue", type: keyedValues }],
  [7, { name: "bytesValue", type: "base64" }],
]);
const values = shape(() => [[1, { name: "values", type: anyValue, isRepeated: true }]]);
const keyValue = shape(() => [
  [1, { name: "key", type: "string" }],
  [2, { name: "value", type: anyValue }],
]);
const keyedValues = shape(() => [[1, { name: "values", type: keyValue, isRepeated: true }]]);
const attributes = { name: "attributes", type: keyValue, isRepeated: true } as const;

const resource = shape(() => [[1, attributes]]);
const scope = shape(() => [
  [1, { name: "name", type: "string" }],
  [2, { name: "version", type: "string" }],
  [3, attributes],
]);

/** A request: resources, with scopes, with records, each named as its signal has it. */
function request(resources: string, scopes: string, records: string): MessageShape {
  const ofScope = shape(() => [
    [1, { name: "scope", type: scope }],
    [2, { name: records, type: "later", isRepeated: true }],
  ]);
  const ofResource = shape(() => [
    [1, { name: "resource", type: resource }],
    [2, { name: scopes, type: ofScope, isRepeated: true }],
  ]);
  return shape(() => [[1, { name: resources, type: ofResource, isRepeated: true }]]);
}

export const logsRequest = request("resourceLogs", "scopeLogs", "logRecords");
export const tracesRequest = request("resourceSpans", "scopeSpans", "spans");
export const metricsRequest = request("resourceMetrics", "scopeMetrics", "metrics");

export const logRecord = shape(() => [
  [1, { name: "timeUnixNano", type: "fixed64" }],
  [2, { name: "severityNumber", type: "int32" }],
  [3, { name: "severityText", type: "string" }],
  [5, { name: "body", type: anyValue }],
  [6, attributes],
  [9, { name: "traceId", type: "hex" }],
  [10, { name: "spanId", type: "hex" }],
  [11, { name: "observedTimeUnixNano", type: "fixed64" }],
  [12, { name: "eventName", type: "string" }],
]);

const spanEvent = shape(() => [
  [1, { name: "timeUnixNano", type: "fixed64" }],
  [2, { name: "name", type: "string" }],
  [3, attributes],
]);
const spanLink = shape(() => [
  [1, { name: "traceId", type: "hex" }],
  [2, { name: "spanId", type: "hex" }],
]);
const spanStatus = shape(() => [
  [2, { name: "message", type: "string" }],
  [3, { name: "code", type: "int32" }],
]);
export const span = shape(() => [
  [1, { name: "traceId", type: "hex" }],
  [2, { name: "spanId", type: "hex" }],
  [3, { name: "traceState", type: "string" }],
  [4, { name: "parentSpanId", type: "hex" }],
  [5, { name: "name", type: "string" }],
  [6, { name: "kind", type: "int32" }],
  [7, { name: "startTimeUnixNano", type: "fixed64" }],
  [8, { name: "endTimeUnixNano", type: "fixed64" }],
  [9, attributes],
  [11, { name: "events", type: spanEvent, isRepeated: true }],
  [13, { name: "links", type: spanLink, isRepeated: true }],
  [15, { name: "status", type: spanStatus }],
]);

const numberPoint = shape(() => [
  [7, attributes],
  [2, { name: "startTimeUnixNano", type: "fixed64" }],
  [3, { name: "timeUnixNano", type: "fixed64" }],
  [4, { name: "asDouble", type: "double" }],
  [6, { name: "asInt", type: "sfixed64" }],
  [8, { name: "flags", type: "int32" }],
]);
const histogramPoint = shape(() => [
  [9, attributes],
  [2, { name: "startTimeUnixNano", type: "fixed64" }],
  [3, { name: "timeUnixNano", type: "fixed64" }],
  [4, { name: "count", type: "fixed64" }],
  [5, { name: "sum", type: "double" }],
  [6, { name: "bucketCounts", type: "fixed64", isRepeated: true }],
  [7, { name: "explicitBounds", type: "double", isRepeated: true }],
  [10, { name: "flags", type: "int32" }],
  [11, { name: "min", type: "double" }],
  [12, { name: "max", type: "double" }],
]);
/** Points that are counted, and refused. */
const countedPoints = shape(() => [[1, { name: "dataPoints", type: "later", isRepeated: true }]]);
const points = (point: MessageShape): MessageShape =>
  shape(() => [
    [1, { name: "dataPoints", type: point, isRepeated: true }],
    [2, { name: "aggregationTemporality", type: "int32" }],
    [3, { name: "isMonotonic", type: "bool" }],
  ]);
export const metric = shape(() => [
  [1, { name: "name", type: "string" }],
  [3, { name: "unit", type: "string" }],
  [5, { name: "gauge", type: numberPoints }],
  [7, { name: "sum", type: numberPoints }],
  [9, { name: "histogram", type: histogramPoints }],
  [10, { name: "exponentialHistogram", type: countedPoints }],
  [11, { name: "summary", type: countedPoints }],
]);
const numberPoints = points(numberPoint);
const histogramPoints = points(histogramPoint);
