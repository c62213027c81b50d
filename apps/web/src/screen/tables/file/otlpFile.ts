/** What a request of the OpenTelemetry protocol contains. */
export type OtlpSignal = "logs" | "traces" | "metrics";

const byName = { Logs: "logs", Spans: "traces", Metrics: "metrics" } as const;
const jsonStart = /^\s*\{\s*"resource(Logs|Spans|Metrics)"\s*:/;

/** Of a text that is a request in JSON, or one a line, as the Collector writes files; null: it is none. */
export function otlpSignalOfText(start: string): OtlpSignal | null {
  const name = jsonStart.exec(start)?.[1] as keyof typeof byName | undefined;
  return name === undefined ? null : byName[name];
}

/** The same of a request in protobuf, or of several, each behind its length in four bytes. */
export function otlpSignalOfBytes(start: Uint8Array): OtlpSignal | null {
  // No field has the number 0.
  const request = start.subarray(start[0] === 0 ? 4 : 0);
  // Resource, scope and record are messages in messages, and alike in all signals.
  const resource = firstOf(request, 1);
  const scope = resource && firstOf(resource, 2);
  const record = scope && firstOf(scope, 2);
  return record && signalOfRecord(record);
}

const [varint, fixed64, delimited, fixed32] = [0, 1, 2, 5];

/** By fields that only records of one signal have with that type, in whatever order they come. */
function signalOfRecord(record: Uint8Array): OtlpSignal | null {
  const kinds = new Map<number, { readonly kind: number; readonly length: number }>();
  for (let at = 0; at < record.length; ) {
    const field = readField(record, at);
    if (field === null) break;
    kinds.set(field.number, { kind: field.kind, length: field.bytes.length });
    at = field.end;
  }
  const has = (number: number, kind: number): boolean => kinds.get(number)?.kind === kind;
  // Times, and the severity.
  if (has(1, fixed64) || has(11, fixed64) || has(2, varint)) return "logs";
  // Ids, and the start.
  const hasIds = kinds.get(1)?.length === 16 && kinds.get(2)?.length === 8;
  if (hasIds && has(7, fixed64)) return "traces";
  // The name, and one of the kinds of points.
  const hasPoints = [5, 7, 9, 10, 11].some((number) => has(number, delimited));
  return has(1, delimited) && hasPoints ? "metrics" : null;
}

interface Field {
  readonly number: number;
  readonly kind: number;
  /** Of a delimited one, as far as they are there. */
  readonly bytes: Uint8Array;
  readonly end: number;
}

/** The content of the first field of that number; null: there is none in these bytes. */
function firstOf(message: Uint8Array, number: number): Uint8Array | null {
  for (let at = 0; at < message.length; ) {
    const field = readField(message, at);
    if (field === null) return null;
    if (field.number === number) return field.kind === delimited ? field.bytes : null;
    at = field.end;
  }
  return null;
}

/** Null: there is none. */
function readField(message: Uint8Array, at: number): Field | null {
  const tag = readVarint(message, at);
  if (tag === null || tag.value < 8) return null;
  const [number, kind] = [tag.value >>> 3, tag.value & 7];
  const none = new Uint8Array(0);
  if (kind === fixed64) return { number, kind, bytes: none, end: tag.end + 8 };
  if (kind === fixed32) return { number, kind, bytes: none, end: tag.end + 4 };
  const inner = readVarint(message, tag.end);
  if (inner === null) return null;
  if (kind === varint) return { number, kind, bytes: none, end: inner.end };
  if (kind !== delimited) return null;
  const end = inner.end + inner.value;
  return { number, kind, bytes: message.subarray(inner.end, end), end };
}

/** Lengths and tags are below 2^28. Null: they are not, or the bytes end before. */
function readVarint(bytes: Uint8Array, at: number): { value: number; end: number } | null {
  let value = 0;
  for (let i = 0; i < 4; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return null;
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return { value, end: at + i + 1 };
  }
  return null;
}
