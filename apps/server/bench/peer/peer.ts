import type { BenchQuery, PeerText } from "../query/benchQuery.js";
import type { BenchTable } from "../table/benchTable.js";

export const peerNames = ["duckdb", "clickhouse", "polars"] as const;
export type PeerName = (typeof peerNames)[number];

/** A table of the bench as the file that every peer reads. */
export interface TableFile {
  readonly table: BenchTable;
  readonly path: string;
}

export interface LoadedForm {
  /** As small as the peer keeps rows of its own accord, or as fast. */
  readonly compressed: boolean;
}

/** Another engine, in memory, over the same rows. */
export interface Peer {
  readonly name: PeerName;
  readonly version: string;
  load(file: TableFile, form: LoadedForm): Promise<void>;
  /** Milliseconds inside the peer until all rows of the answer are there. */
  time(text: string): Promise<number>;
  rows(text: string): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}

export function textFor(peer: PeerName, query: BenchQuery, use: "compared" | "timed"): string {
  const text: PeerText = query[peer];
  return typeof text === "string" ? text : text[use];
}
