import type { ColumnSetting } from "@hadal/sdk";
import type { ReadRequest } from "../read/bodyReader.js";
import { createTimeRule } from "../value/timeRule.js";

/** Rows of NDJSON with numbers, texts, lists and missing values, some of them wrong. */
export function mixedLines(count: number): string {
  return Array.from({ length: count }, (_, i) => {
    if (i % 997 === 5) return `{"time":${i},"n":}`;
    const note = i % 3 === 0 ? `,"note":"é${i % 50}\\n"` : "";
    const tags = i % 7 === 0 ? `,"tags":{"$set":["a","b${i % 5}"]}` : "";
    return `{"time":${1_750_000_000_000 + i * 100},"n":${i}.5${note}${tags}}`;
  }).join("\n");
}

/** The options for reading NDJSON. */
export function ndjsonRequest(
  client = "a",
  columns: readonly ColumnSetting[] = [],
  order = 1,
): ReadRequest {
  return {
    contentType: "application/x-ndjson",
    contentEncoding: undefined,
    timeName: undefined,
    timeRule: createTimeRule(1_750_500_000_000, { unit: null, futureMaxMs: 0 }),
    binary: undefined,
    csv: {},
    raw: undefined,
    columns,
    hashStart: "start\n",
    isPreview: false,
    sender: { client, order },
  };
}

/** A body in blocks. */
export async function* inBlocks(
  body: string | Uint8Array,
  blockBytes = 60_000,
): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += blockBytes) yield bytes.subarray(at, at + blockBytes);
}

/** Room for anything. */
export const anyRoom = { coverNext: async () => Number.POSITIVE_INFINITY };
