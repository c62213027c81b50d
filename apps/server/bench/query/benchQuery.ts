import type { Query, Result } from "@hadal/sdk";
import { endMs, rangeMs, startMs } from "../table/benchTable.js";

/** How a column of both answers is compared, in the peers' order; Hadal's are found by name. */
export interface ComparedColumn {
  readonly name: string;
  /** Relative difference that the column may have; 0 = exact. */
  readonly within: number;
}

/** A peer may be asked one thing when answers are compared and another, faster one when it is timed. */
export type PeerText = string | { readonly compared: string; readonly timed: string };

/** One question, asked of all. */
export interface BenchQuery {
  readonly name: string;
  readonly query: Query;
  readonly columns: readonly ComparedColumn[];
  /** Rows that are equal in this column may come in any order, and a limit may cut them anywhere. */
  readonly tiedBy?: string;
  /** Hadal's answer as rows of these columns, where it is not such a table already. */
  readonly rowsOf?: (result: Result) => readonly (readonly unknown[])[];
  /** Another question that is timed in turn with it: the report says how many times as long it takes. */
  readonly beside?: { readonly name: string; readonly query: Query };
  /** Also report how many rows a second one core gets through. */
  readonly perCore?: boolean;
  /** Asked after the leaves were started again, when their texts are compressed as the segment files are. */
  readonly afterRestart?: boolean;
  readonly duckdb: PeerText;
  readonly clickhouse: PeerText;
  /** An expression in Python: `pl` is polars, `c` its columns, every table a lazy frame of its name. */
  readonly polars: PeerText;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

const hourMs = 3_600_000;
export const last3h: Range = { from: endMs - 3 * hourMs, to: endMs };
export const lastHour: Range = { from: endMs - hourMs, to: endMs };
export const all29h: Range = { from: startMs, to: endMs };
/** The range holds two of these: what a week is elsewhere. */
export const halfHours = Math.floor(rangeMs / hourMs / 2);
export const laterHalf: Range = { from: endMs - halfHours * hourMs, to: endMs };
export const earlierHalf: Range = {
  from: laterHalf.from - halfHours * hourMs,
  to: laterHalf.from,
};

/** A minute would hide a hang; the default two seconds would cut off whom the bench should measure. */
export const timeoutMs = 60_000;

export const count = { fn: "count" } as const;
export const sum = (column: string) => ({ fn: "sum", column }) as const;
export const exactly = (...names: string[]): ComparedColumn[] =>
  names.map((name) => ({ name, within: 0 }));

/** In SQL. */
export const within = ({ from, to }: Range): string => `time >= ${from} AND time < ${to}`;
/** In Polars. */
export const inside = ({ from, to }: Range): string => `c.time >= ${from}, c.time < ${to}`;

/** The same SQL for both. */
export function sameSql(sql: string): Pick<BenchQuery, "duckdb" | "clickhouse"> {
  return { duckdb: sql, clickhouse: sql };
}
