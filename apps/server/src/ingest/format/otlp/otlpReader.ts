import type { Steps } from "../../../base/schedule/steps.js";
import { bodyProblem } from "../../body/bodyProblem.js";
import type { RowCollector } from "../../row/rowCollector.js";
import type { RowReader } from "../../row/rowReader.js";
import { parseExactJson } from "../../value/exactJson.js";
import { RowRejected, tryParseJson } from "../../value/rowRejected.js";
import { contextOf } from "./otlpContext.js";
import type { OtlpSignal } from "./otlpSignals.js";
import { fieldsOf, listOf, type Row } from "./otlpValue.js";
import { decodeMessage } from "./protobuf.js";

export type OtlpEncoding = "protobuf" | "json";

/** Records of a request in one step. */
const stepRecords = 64;
/** Of the length before a message in a file. */
const lengthBytes = 4;
/** A number outside of quotes that a double may not hold. Within a text it only costs time. */
const longNumber = /[:[,]\s*-?\d{16}/;

/** Reads a request of OTLP whole, or a file of several: one a line, or each behind its length. `line` of a problem is the number of the record, or of the point. */
export class OtlpReader implements RowReader {
  readonly #collector: RowCollector;
  readonly #signal: OtlpSignal;
  readonly #encoding: OtlpEncoding;
  readonly #parts: Uint8Array[] = [];
  #records = 0;

  constructor(collector: RowCollector, signal: OtlpSignal, encoding: OtlpEncoding) {
    this.#collector = collector;
    this.#signal = signal;
    this.#encoding = encoding;
  }

  push(bytes: Uint8Array): undefined {
    this.#parts.push(bytes);
  }

  *end(): Steps<void> {
    const { resources, scopes, records } = this.#signal.names;
    let steps = 0;
    for (const part of this.#readRequests().flatMap((one) => listOf(fieldsOf(one)[resources]))) {
      const ofResource = fieldsOf(part);
      for (const inner of listOf(ofResource[scopes])) {
        const ofScope = fieldsOf(inner);
        const context = attempt(() => contextOf(ofResource.resource, ofScope.scope));
        for (const record of listOf(ofScope[records])) {
          this.#addRecord(record, context);
          if (++steps % stepRecords === 0) yield;
        }
      }
    }
  }

  /** One, or the many of a file as the Collector writes it. */
  #readRequests(): readonly unknown[] {
    const bytes = Buffer.concat(this.#parts);
    this.#parts.length = 0;
    if (this.#encoding === "protobuf") {
      const { request } = this.#signal;
      return this.#decode(() => messagesOf(bytes).map((one) => decodeMessage(request, one)));
    }
    const text = bytes.toString("utf8").trim();
    // An empty body is an empty request, as in protobuf.
    if (text === "") return [];
    const lines = text.split("\n");
    const areRequests = lines.length > 1 && tryParseJson(lines[0]!) !== undefined;
    return (areRequests ? lines : [text]).map((one) => this.#readJson(one));
  }

  #readJson(text: string): unknown {
    if (text.trim() === "") return {};
    const parsed = longNumber.test(text) ? undefined : tryParseJson(text);
    return parsed === undefined ? this.#decode(() => parseExactJson(text)) : parsed;
  }

  #decode<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      const detail = `The body is no request of OTLP in ${this.#encoding}: ${(error as Error).message}. Nothing of it was stored.`;
      throw bodyProblem("body-undecodable", "body-undecodable", 1, detail);
    }
  }

  #addRecord(sent: unknown, context: Attempt<Row>): void {
    const { rowsOf, record: shape } = this.#signal;
    const record =
      sent instanceof Uint8Array ? this.#decode(() => decodeMessage(shape, sent)) : sent;
    for (const makeRow of rowsOf(record, context.value ?? Object.create(null))) {
      const line = ++this.#records;
      const row = context.refused === null ? attempt(makeRow) : context;
      if (row.refused === null) this.#collector.add(row.value, line);
      else this.#collector.refuse(row.refused, line);
    }
  }
}

/** A message, or several, each behind its length: no message begins with a zero. */
function messagesOf(bytes: Buffer): readonly Buffer[] {
  if (bytes[0] !== 0) return [bytes];
  const messages: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + lengthBytes;
    const end = start > bytes.length ? start : start + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new Error(`it ends within message ${messages.length + 1}`);
    messages.push(bytes.subarray(start, end));
    at = end;
  }
  return messages;
}

type Attempt<Value> =
  | { readonly value: Value; readonly refused: null }
  | { readonly value: null; readonly refused: RowRejected };

function attempt<Value>(make: () => Value): Attempt<Value> {
  try {
    return { value: make(), refused: null };
  } catch (error) {
    if (!(error instanceof RowRejected)) throw error;
    return { value: null, refused: error };
  }
}
