import { JsonRows, loadJsonModuleSync } from "@hadal/kernel-wasm";
import type { ColumnSetting } from "@hadal/sdk";
import { rulesOf } from "../column/columnRule.js";
import { type CollectedRows, RowCollector } from "../row/rowCollector.js";
import type { RowReader } from "../row/rowReader.js";

const module = loadJsonModuleSync();
/** Kernels with windows of these sizes. */
export const windows = [150, 700, 262_144, 3_145_728].map((windowBytes) => ({
  windowBytes,
  json: new JsonRows(module, { seed: 11n, windowBytes }),
}));

const noPlaces = { placeCount: { value: 0 }, turn: { value: 0 } };
/**
 * The same reader with a kernel that can read nothing: every row goes the way that has the last
 * word.
 */
export const noKernel = Object.assign(Object.create(JsonRows.prototype, noPlaces) as JsonRows, {
  windowBytesMax: 262_144,
  join: (parts: readonly Uint8Array[]) => Buffer.concat(parts),
  load: () => undefined,
  setPlaces: () => false,
});

export interface Reading {
  readonly open: (collector: RowCollector, json: JsonRows) => RowReader;
  readonly json: JsonRows;
  readonly pieceBytes: number;
  readonly timeName?: string | undefined;
  readonly columns?: readonly ColumnSetting[];
}

/** The verdicts on a body that comes in such pieces. */
export function readBody(
  body: Buffer,
  { open, json, pieceBytes, timeName, columns = [] }: Reading,
): CollectedRows {
  const collector = new RowCollector(timeName, rulesOf(columns));
  const reader = open(collector, json);
  for (let at = 0; at < body.length; at += pieceBytes)
    reader.push(body.subarray(at, at + pieceBytes));
  reader.end();
  return collector.finish();
}

/** Rows that were read without the general parsers. */
export function countKernelRows<Result>(run: () => Result): {
  readonly result: Result;
  rows: number;
} {
  const counted = RowCollector.prototype.addRows;
  let rows = 0;
  RowCollector.prototype.addRows = function (...parameters) {
    const added = counted.apply(this, parameters);
    rows += added;
    return added;
  };
  try {
    return { result: run(), rows };
  } finally {
    RowCollector.prototype.addRows = counted;
  }
}
