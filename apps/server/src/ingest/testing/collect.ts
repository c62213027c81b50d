import { Readable } from "node:stream";
import type { BinaryForm, ColumnSetting, CsvParameters, RawParameters, TimeUnit } from "@hadal/sdk";
import { rulesOf } from "../column/columnRule.js";
import { readCsvParameters } from "../format/csv/csvParameters.js";
import { readRows } from "../format/readRows.js";
import type { CollectedRows } from "../row/rowCollector.js";
import { anyMs, createTimeRule } from "../value/timeRule.js";
import { kernelRows } from "./kernelRows.js";

export interface CollectOptions {
  readonly contentType?: string;
  readonly timeName?: string;
  /** As a request names it, at the given moment; left out: every number is milliseconds. */
  readonly timeUnit?: {
    readonly unit: TimeUnit | null;
    readonly nowMs: number;
    readonly futureMaxMs?: number;
  };
  readonly binary?: BinaryForm;
  /** Cuts the body into pieces of this many bytes. */
  readonly pieceBytes?: number;
  /** The settings of the table's columns. */
  readonly columns?: readonly ColumnSetting[];
  /** The CSV parameters of the request. */
  readonly csv?: CsvParameters;
  /** How raw lines are read. */
  readonly raw?: RawParameters;
  /** Of times that name none. */
  readonly timeZone?: string;
}

/** Reads a body as the gateway does. */
export function collect(
  body: string | Uint8Array,
  {
    contentType = "application/x-ndjson",
    timeName,
    timeUnit,
    binary,
    pieceBytes = 1 << 20,
    columns = [],
    csv = {},
    raw,
    timeZone,
  }: CollectOptions = {},
): Promise<CollectedRows> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    pieces.push(bytes.slice(at, at + pieceBytes));
  const rules = rulesOf(columns);
  const timeRule =
    timeUnit === undefined
      ? anyMs
      : createTimeRule(timeUnit.nowMs, { futureMaxMs: 0, zone: timeZone ?? null, ...timeUnit });
  const options = readCsvParameters(csv, contentType);
  const read = {
    contentType,
    timeName,
    timeRule,
    binary,
    json: kernelRows,
    rules,
    csv: options,
    raw,
  };
  return readRows(Readable.from(pieces), read);
}

/** Reads one NDJSON row; its batch, or why it was refused. */
export async function collectRow(row: string): Promise<CollectedRows> {
  return collect(`${row}\n`);
}
