import { Readable } from "node:stream";
import type { ColumnSetting } from "@hadal/sdk";
import { rulesOf } from "../columnRule.js";
import { readRows } from "../readRows.js";
import type { CollectedRows } from "../rowCollector.js";
import { kernelRows } from "./kernelRows.js";

export interface CollectOptions {
  readonly contentType?: string;
  readonly timeName?: string;
  /** Cuts the body into pieces of so many bytes. */
  readonly pieceBytes?: number;
  /** What is set for the table's columns. */
  readonly columns?: readonly ColumnSetting[];
}

/** Reads a body as the gateway does. */
export function collect(
  body: string | Uint8Array,
  {
    contentType = "application/x-ndjson",
    timeName,
    pieceBytes = 1 << 20,
    columns = [],
  }: CollectOptions = {},
): Promise<CollectedRows> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    pieces.push(bytes.slice(at, at + pieceBytes));
  const rules = rulesOf(columns);
  return readRows(Readable.from(pieces), { contentType, timeName, json: kernelRows, rules });
}

/** Reads one NDJSON row; its batch, or why it was refused. */
export async function collectRow(row: string): Promise<CollectedRows> {
  return collect(`${row}\n`);
}
