import type { DecidedUnits } from "../../base/copy/copySource.js";
import { readDocument, writeDocument } from "../../base/file/documentFile.js";
import {
  emptySnapshot,
  snapshotOfQuery,
  type UnitSnapshot,
  type UnitStamp,
} from "../../base/row/unitSnapshot.js";
import {
  joinDecisions,
  type PrintedDecisions,
  readDecisions,
  snapshotOf,
  stateOfUnit,
  type UnitDecisions,
  type UnitState,
} from "./unitDecisions.js";

const name = "the list of decided units";

/** Beside the folders of tables. */
export const unitsFile = "units.json";

/**
 * What a leaf knows of the units whose rows it has: which are committed, and which are aborted. A
 * decision is on the disk before it changes anything, so that a restart takes nothing back.
 */
export class LeafUnits {
  #decisions: UnitDecisions;
  readonly #path: string;
  /** What was known when the process started: rows of these units may be sealed. */
  readonly atStart: UnitDecisions;
  #saving: Promise<unknown> = Promise.resolve();
  /** Whether a log may have rows of a unit that is aborted. */
  isInLog: (unit: Pick<UnitStamp, "gateway" | "number">) => boolean = () => true;
  /** Called in the turn in which decisions change. */
  onDecided: () => void = () => undefined;

  private constructor(path: string, decisions: UnitDecisions) {
    this.#path = path;
    this.#decisions = decisions;
    this.atStart = decisions;
  }

  static async open(path: string, warn: (text: string) => void): Promise<LeafUnits> {
    const stored = await readDocument(path, { name, check: readDecisions, warn });
    return new LeafUnits(path, stored ?? new Map());
  }

  get decisions(): UnitDecisions {
    return this.#decisions;
  }

  get printed(): PrintedDecisions {
    return [...this.#decisions];
  }

  stateOf(stamp: UnitStamp): UnitState {
    return stateOfUnit(this.#decisions, stamp);
  }

  /** The whole snapshot of a query: of gateways that it does not name, what the leaf knows. */
  snapshotFor(asked: UnitSnapshot = emptySnapshot): UnitSnapshot {
    return snapshotOfQuery(asked, snapshotOf(this.#decisions));
  }

  /** Resolves when the decisions are on the disk and in effect. */
  settle(gateway: string, report: DecidedUnits): Promise<void> {
    return this.adopt([[gateway, report]]);
  }

  /** The same for those that another leaf knows, whose copy this one is. */
  adopt(reports: PrintedDecisions): Promise<void> {
    const settled = this.#saving.then(() => this.#adopt(reports));
    this.#saving = settled.catch(() => undefined);
    return settled;
  }

  async #adopt(reports: PrintedDecisions): Promise<void> {
    const joined = new Map(this.#decisions);
    for (const [gateway, report] of reports) {
      const known = joined.get(gateway);
      const isInLog = (number: number): boolean => this.isInLog({ gateway, number });
      joined.set(gateway, known === undefined ? report : joinDecisions(known, report, isInLog));
    }
    const printed = [...joined];
    if (JSON.stringify(printed) === JSON.stringify(this.printed)) return;
    await writeDocument(this.#path, name, printed);
    this.#decisions = joined;
    this.onDecided();
  }
}
