import type { UnitSnapshot } from "../../base/row/unitSnapshot.js";
import type { LeafQueryStats } from "../../cluster/leafReply.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { LoweredQuery } from "../lower/lowerQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { ScanAnswer } from "../task/scanAnswer.js";

/** The root's follow-up arrives within milliseconds; after this time it will not come. */
const keptMs = 1_000;
/** As many queries may be between their two questions. */
const keptMax = 4;

/** A finished scan whose tables are still in the query pool. */
export interface KeptScan {
  readonly query: ResolvedQuery;
  /** The units that it saw. */
  readonly snapshot?: UnitSnapshot;
  readonly lowered: LoweredQuery;
  readonly answer: ScanAnswer;
  readonly stats: LeafQueryStats;
  readonly memory: QueryMemory;
}

interface Entry {
  readonly key: string;
  readonly scan: KeptScan;
  readonly timer: NodeJS.Timeout;
}

/**
 * Group tables of the last scans: a leaf that cut its answer needs no new scan for single groups of
 * a follow-up. They are the first to be released when the pool runs out.
 */
export class KeptScans {
  /** Oldest first. */
  #entries: Entry[] = [];

  keep(scan: KeptScan): void {
    const key = keyOf(scan.query, scan.snapshot);
    this.#drop((entry) => entry.key === key);
    while (this.#entries.length >= keptMax) this.releaseOldest();
    const timer = setTimeout(() => this.#drop((entry) => entry.timer === timer), keptMs);
    timer.unref();
    this.#entries.push({ key, scan, timer });
  }

  /**
   * The scan of the same query, which is the taker's to release; null when there is none (any
   * more).
   */
  take(query: ResolvedQuery, snapshot?: UnitSnapshot): KeptScan | null {
    const key = keyOf(query, snapshot);
    const found = this.#entries.find((entry) => entry.key === key);
    if (found === undefined) return null;
    clearTimeout(found.timer);
    this.#entries = this.#entries.filter((entry) => entry !== found);
    return found.scan;
  }

  /** Gives memory back to the pool; false when there is none to give. */
  releaseOldest(): boolean {
    const [oldest] = this.#entries;
    if (oldest === undefined) return false;
    this.#drop((entry) => entry === oldest);
    return true;
  }

  #drop(isDropped: (entry: Entry) => boolean): void {
    const dropped = this.#entries.filter(isDropped);
    this.#entries = this.#entries.filter((entry) => !dropped.includes(entry));
    for (const { scan, timer } of dropped) {
      clearTimeout(timer);
      scan.memory.release();
    }
  }
}

/** Equal for a query and its second question. */
function keyOf({ only: _, ...query }: ResolvedQuery, snapshot: UnitSnapshot | undefined): string {
  return JSON.stringify([query, snapshot]);
}
