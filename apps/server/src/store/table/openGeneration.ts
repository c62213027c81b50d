import type { UnitStamp } from "../../base/row/unitSnapshot.js";
import type { RowLog } from "../log/rowLog.js";
import type { OpenSegment } from "../open/openSegment.js";
import { OpenFacts } from "./openFacts.js";

/** Rows of one unit in one generation: queries see all of them or none. */
export interface UnitRows {
  readonly stamp: UnitStamp;
  readonly segment: OpenSegment;
  readonly facts: OpenFacts;
  /** When its first rows came, on the clock of performance.now(). */
  readonly sinceMs: number;
  /** When it was committed, on the table's clock; null: it is undecided. */
  committedMs: number | null;
}

/** Columns whose form has changed for later rows. */
export interface ChangedForms {
  readonly asText: ReadonlySet<string>;
  readonly lists: ReadonlyMap<string, "set" | "vector">;
}

/**
 * The rows of one row log that are not sealed yet: those that every query sees, and beside them those
 * of units.
 */
export class OpenGeneration {
  segment: OpenSegment | null = null;
  facts = new OpenFacts();
  readonly units = new Map<string, UnitRows>();
  log: RowLog | null = null;
  /** Where the log ends, once it is closed; 0: it has failed, or there is none. */
  closedAtBytes = 0;
  /** Units of which its log has batches and it has no rows: they were aborted, or came again. */
  readonly givenUp = new Set<string>();
  /** Null while rows are added to it. */
  laterForms: ChangedForms | null = null;

  constructor(readonly number: number) {}

  get segments(): readonly OpenSegment[] {
    const ofUnits = Array.from(this.units.values(), ({ segment }) => segment);
    return this.segment === null ? ofUnits : [this.segment, ...ofUnits];
  }

  get rowCount(): number {
    return this.#sum(({ rowCount }) => rowCount);
  }

  /** Those that queries see, by what the leaf knows. */
  get shownRowCount(): number {
    let rows = this.segment?.rowCount ?? 0;
    for (const { committedMs, segment } of this.units.values())
      if (committedMs !== null) rows += segment.rowCount;
    return rows;
  }

  get reservedRows(): number {
    return this.#sum(({ reservedRows }) => reservedRows);
  }

  get bytes(): number {
    return this.#sum(({ bytes }) => bytes);
  }

  get largestColumnBytes(): number {
    return this.#sum(({ largestColumnBytes }) => largestColumnBytes);
  }

  unitOf(stamp: UnitStamp): UnitRows | undefined {
    return this.units.get(keyOf(stamp));
  }

  addUnit(stamp: UnitStamp, segment: OpenSegment): UnitRows {
    const sinceMs = performance.now();
    const rows: UnitRows = { stamp, segment, facts: new OpenFacts(), sinceMs, committedMs: null };
    this.units.set(keyOf(stamp), rows);
    return rows;
  }

  removeUnit({ stamp }: UnitRows): void {
    this.units.delete(keyOf(stamp));
  }

  /** Whether all of its units were committed before this time. */
  isSettled(beforeMs: number): boolean {
    for (const { committedMs } of this.units.values())
      if (committedMs === null || committedMs > beforeMs) return false;
    return true;
  }

  #sum(numberOf: (segment: OpenSegment) => number): number {
    // Most tables have no units.
    let sum = this.segment === null ? 0 : numberOf(this.segment);
    for (const { segment } of this.units.values()) sum += numberOf(segment);
    return sum;
  }
}

export const keyOf = ({ gateway, number }: Pick<UnitStamp, "gateway" | "number">): string =>
  `${number} ${gateway}`;
