import type { Hash } from "node:crypto";
import { bodyProblem } from "../body/bodyProblem.js";
import { ReadingTurn } from "../body/readPace.js";
import { type ColumnRules, noRules, withAskedTypes } from "../column/columnRule.js";
import { type CollectedRows, RowCollector } from "../row/rowCollector.js";
import type { TimeRule } from "../value/timeRule.js";
import { formatToRead } from "./formats.js";
import type { FormatOptions } from "./ingestFormat.js";

export interface ReadOptions extends FormatOptions {
  readonly contentType: string | undefined;
  readonly timeRule: TimeRule;
  /** The settings of the table's columns. */
  readonly rules?: ColumnRules;
  /** Called with the bytes of all rows so far, after each batch. */
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
  const reader = await formatToRead(contentType).open(collector, options);
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

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return bytes.subarray(3);
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    const detail = "The body is UTF-16; send UTF-8. Nothing of it was stored.";
    throw bodyProblem("body-undecodable", "body-undecodable", 1, detail);
  }
  return bytes;
}
