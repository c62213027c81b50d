import type { AckLevel } from "@hadal/sdk";

/** A row as the oracle keeps it. */
export interface OracleRow {
  readonly timeMs: number;
  readonly v: number;
  /** 2 to the batch's number in its first row, else 0: the sum names the batches behind it. */
  readonly bit: bigint;
}

/** What a client knows of a send; several attempts have the same key. */
export interface SentBatch {
  readonly number: number;
  readonly key: string;
  readonly rows: readonly OracleRow[];
  readonly body: string;
  readonly ack: AckLevel;
  /** `open`: the outcome is not known (yet). */
  state: "open" | "acknowledged" | "refused";
  /** When it was acknowledged first. */
  acknowledgedMs: number;
  /** Acknowledged in memory only, and its leaf may have ended before it was on the disk. */
  mayBeLost: boolean;
  attempts: number;
}

export const batchName = ({ number }: Pick<SentBatch, "number">): string => `b${number}`;

/** Batches beyond it have no bit of their own. */
export const bitBatchesMax = 60;

/** Rows that were sent, in a list: what every answer is compared with. */
export class Oracle {
  readonly batches: SentBatch[] = [];
  /** Names of batches whose rows may never be seen. */
  readonly forbidden = new Set<string>();

  /**
   * `unpublishedMsMax`: after this time all gateways expect a row that is acknowledged. Before, one
   * that has not sent it itself may learn of it from the leaf that has it, or does not know what to
   * expect.
   */
  constructor(readonly unpublishedMsMax: number) {}

  find(name: string): SentBatch | undefined {
    return name.startsWith("b") ? this.batches[Number(name.slice(1))] : undefined;
  }

  /** Rows of the range that were acknowledged before a moment. */
  acknowledged(beforeMs: number, range: TimeRange): readonly SentBatch[] {
    return this.batches.filter(
      ({ state, acknowledgedMs, rows }) =>
        state === "acknowledged" &&
        acknowledgedMs < beforeMs &&
        rows.some((row) => isIn(row, range)),
    );
  }
}

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export const isIn = ({ timeMs }: OracleRow, { fromMs, toMs }: TimeRange): boolean =>
  timeMs >= fromMs && timeMs < toMs;
