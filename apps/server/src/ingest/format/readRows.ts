import type { Hash } from "node:crypto";
import type { JsonRows } from "@hadal/kernel-wasm";
import { type BinaryForm, HadalError, timeColumn } from "@hadal/sdk";
import { loadArrow } from "../../base/format/arrowLibrary.js";
import { bodyFault } from "../body/bodyFault.js";
import { ReadingTurn } from "../body/readPace.js";
import { type ColumnRules, noRules, withAskedTypes } from "../column/columnRule.js";
import { type CollectedRows, RowCollector } from "../row/rowCollector.js";
import type { RowReader } from "../row/rowReader.js";
import type { TimeRule } from "../value/timeRule.js";
import { createArrowReader } from "./arrow/arrowReader.js";
import { type CsvOptions, CsvReader } from "./csv/csvReader.js";
import { createJsonReader } from "./json/jsonReader.js";
import { createNdjsonReader } from "./json/ndjsonReader.js";
import { parquetType } from "./parquet/parquetBody.js";

type OpenReader = (collector: RowCollector, options: ReadOptions) => RowReader | Promise<RowReader>;

const openJson: OpenReader = (collector, { json }) => createJsonReader(collector, json);
const openNdjson: OpenReader = (collector, { json }) => createNdjsonReader(collector, json);

const openArrow: OpenReader = async (collector, { timeName = timeColumn, binary = "text" }) =>
  createArrowReader(collector, await loadArrow(), { timeName, binary });

const readers: ReadonlyMap<string, OpenReader> = new Map<string, OpenReader>([
  ["application/x-ndjson", openNdjson],
  ["application/ndjson", openNdjson],
  ["application/jsonl", openNdjson],
  ["application/json", openJson],
  ["text/csv", (collector, { timeName, csv }) => new CsvReader(collector, timeName, csv)],
  ["application/vnd.apache.arrow.stream", openArrow],
  ["application/vnd.apache.arrow.file", openArrow],
]);

export interface ReadOptions {
  readonly contentType: string | undefined;
  readonly timeName: string | undefined;
  readonly timeRule: TimeRule;
  /** What becomes of Arrow's columns of bytes. */
  readonly binary?: BinaryForm | undefined;
  /** The kernel's reader of lines of JSON. */
  readonly json: JsonRows;
  /** What is set for the table's columns. */
  readonly rules?: ColumnRules;
  /** How CSV is to be read; refused with other formats. */
  readonly csv?: CsvOptions | undefined;
  /** Hears what all rows so far take, a batch at a time. */
  readonly onRows?: (rowBytes: number) => void;
  /** Sees every byte. */
  readonly hash?: Hash | undefined;
}

/** Reads a whole body into batches, one verdict per row. */
export async function readRows(
  body: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<CollectedRows> {
  const { contentType, timeName, timeRule, rules = noRules, csv, onRows, hash } = options;
  const asked = csv?.types === undefined ? rules : withAskedTypes(rules, csv.types);
  const collector = new RowCollector(timeName, asked, timeRule, onRows);
  const reader = await chooseReader(contentType)(collector, options);
  const turn = new ReadingTurn();
  const pushPieces = async (bytes: Uint8Array): Promise<void> => {
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + (reader.pieceBytes?.() ?? bytes.length));
      const isWhole = at === 0 && end === bytes.length;
      await turn.take(reader.push(isWhole ? bytes : bytes.subarray(at, end)));
      at = end;
    }
  };
  const start: Uint8Array[] = [];
  let startBytes = 0;
  let started = false;
  for await (const bytes of body) {
    hash?.update(bytes);
    if (started) {
      await pushPieces(bytes);
      continue;
    }
    // A byte order mark may come in pieces.
    start.push(bytes);
    startBytes += bytes.length;
    if (startBytes < 3) continue;
    started = true;
    await pushPieces(withoutByteOrderMark(Buffer.concat(start)));
  }
  if (!started && startBytes > 0) await pushPieces(withoutByteOrderMark(Buffer.concat(start)));
  await turn.take(reader.end());
  const rows = collector.finish();
  return reader.reading === undefined ? rows : { ...rows, csv: reader.reading() };
}

function chooseReader(contentType: string | undefined): OpenReader {
  const [mediaType = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim());
  const reader = readers.get(mediaType.toLowerCase());
  if (reader === undefined) {
    throw new HadalError("unsupported-media-type", {
      detail: `Content-Type ${mediaType === "" ? "is missing" : `${mediaType} is not known`}; send ${[...readers.keys(), parquetType].join(", ")}.`,
    });
  }
  for (const parameter of parameters) {
    const charset = /^charset\s*=\s*"?([^"]*)"?$/i.exec(parameter)?.[1]?.toLowerCase();
    if (charset !== undefined && !["utf-8", "utf8", "us-ascii"].includes(charset)) {
      throw new HadalError("unsupported-media-type", {
        detail: `charset=${charset} is not read; send UTF-8.`,
      });
    }
  }
  return reader;
}

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return bytes.subarray(3);
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    const detail = "The body is UTF-16; send UTF-8. Nothing of it was stored.";
    throw bodyFault("body-undecodable", "body-undecodable", 1, detail);
  }
  return bytes;
}
