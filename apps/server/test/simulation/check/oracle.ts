import type { AckLevel } from "@hadal/sdk";

/** Tables of a simulation; many have the first one alone. */
export const tableNames = ["events", "visits"] as const;

/** Rows of one table in a request up to this number are one part; see `.tools/lib/simulation`. */
export const partRowsMax = 4;

/** A row as the oracle keeps it. */
export interface OracleRow {
  readonly table: string;
  readonly timeMs: number;
  readonly v: number;
  /** Its place in the request: `place` of the row is 2 to it, so that sums name the rows behind them. */
  readonly n: number;
  /** Its place among all rows: see {@link bitsOf}. */
  readonly number: number;
}

/** What a client knows of a send, of one table or several; several attempts have the same key. */
export interface SentBatch {
  readonly number: number;
  readonly key: string;
  readonly rows: readonly OracleRow[];
  /** Sent to `/batches`: its rows become visible in one moment in all tables. */
  readonly isOfTables: boolean;
  readonly ack: AckLevel;
  /** `open`: the outcome is not known (yet). */
  state: "open" | "acknowledged" | "refused";
  /** When it was acknowledged first. */
  acknowledgedMs: number;
  /** Acknowledged in memory only, and its leaf may have ended before it was on the disk. */
  mayBeLost: boolean;
  attempts: number;
  /** Attempts of which it was not said that nothing of them is stored. */
  possible: number;
  /** When an answer of a gateway, by its process, has shown it first. */
  readonly shown: WeakMap<object, number>;
}

export const batchName = ({ number }: Pick<SentBatch, "number">): string => `b${number}`;

const bitsPerColumn = 60;

/** So many rows have a bit of their own, in one of two columns: the sums name the rows behind a total. */
export const bitRowsMax = 2 * bitsPerColumn;

/** The bits of a row, in the columns `bit` and `high`. */
export function bitsOf({ number }: Pick<OracleRow, "number">): readonly [bigint, bigint] {
  const bit = number < bitRowsMax ? 1n << BigInt(number % bitsPerColumn) : 0n;
  return number < bitsPerColumn ? [bit, 0n] : [0n, bit];
}

/** Rows that were sent, in a list: what every answer is compared with. */
export class Oracle {
  readonly batches: SentBatch[] = [];
  /** Names of batches whose rows may never be seen. */
  readonly forbidden = new Set<string>();
  rowCount = 0;

  /**
   * `unpublishedMsMax`: after this time all gateways expect a row that is acknowledged. Before, one
   * that has not sent it itself may learn of it from the leaf that has it, or does not know what to
   * expect. `areCopied`: copies answer for leaves, and may lack their last rows.
   */
  constructor(
    readonly unpublishedMsMax: number,
    readonly areCopied: boolean,
  ) {}

  find(name: string): SentBatch | undefined {
    return name.startsWith("b") ? this.batches[Number(name.slice(1))] : undefined;
  }

  /** Of the batch, in the range of a question. */
  rowsOf(name: string, range: RowRange): readonly OracleRow[] {
    return (this.find(name)?.rows ?? []).filter((row) => isIn(row, range));
  }
}

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a question is about. */
export interface RowRange extends TimeRange {
  readonly table: string;
}

export const isIn = (row: OracleRow, { table, fromMs, toMs }: RowRange): boolean =>
  row.table === table && row.timeMs >= fromMs && row.timeMs < toMs;
