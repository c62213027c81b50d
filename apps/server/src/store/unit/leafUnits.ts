import { readdir } from "node:fs/promises";
import { join } from "node:path";
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
  keepUnsure,
  type PrintedDecisions,
  readDecisions,
  snapshotOf,
  stateOfUnit,
  type UnitDecisions,
  type UnitState,
} from "./unitDecisions.js";

const name = "the list of decided units";

/**
 * Beside the folders of tables: the same list twice, so that a damaged file loses nothing. Gateways
 * forget aborted units that leaves have on their disks.
 */
export const unitsFiles = ["units.json", "units-2.json"] as const;

const noUnits: DecidedUnits = { upTo: 0, except: [], aborted: [] };

/** What a gateway says of its aborted units to a leaf that has lost what it knew. */
export interface NamedUnits {
  /** From this number on it names all of them. */
  readonly from: number;
  /** Those that it does not hide from queries any more. */
  readonly forgotten: readonly number[];
}

interface StoredUnits {
  readonly decisions: UnitDecisions;
  /** Both files were readable. */
  readonly isWhole: boolean;
  readonly isLost: boolean;
}

/**
 * What a leaf knows of the units whose rows it has: which are committed, and which are aborted. A
 * decision is on the disk before it changes anything, so that a restart takes nothing back.
 */
export class LeafUnits {
  #decisions: UnitDecisions;
  readonly #folder: string;
  /** What was known when the process started: rows of these units may be sealed. */
  readonly atStart: UnitDecisions;
  /** Both files are as the decisions are. */
  #areFilesWhole: boolean;
  /** Neither file could be read: what logs have of units is in doubt. */
  #isLost: boolean;
  #saving: Promise<unknown> = Promise.resolve();
  /** Whether a log may have rows of a unit that is aborted. */
  isInLog: (unit: Pick<UnitStamp, "gateway" | "number">) => boolean = () => true;
  /** Called in the turn in which decisions change. */
  onDecided: () => void = () => undefined;

  private constructor(folder: string, { decisions, isWhole, isLost }: StoredUnits) {
    this.#folder = folder;
    this.#decisions = decisions;
    this.atStart = decisions;
    this.#areFilesWhole = isWhole;
    this.#isLost = isLost;
  }

  static async open(folder: string, warn: (text: string) => void): Promise<LeafUnits> {
    const stored = await Promise.all(
      unitsFiles.map((file) =>
        readDocument(join(folder, file), { name, check: readDecisions, warn }),
      ),
    );
    const read = stored.filter((one) => one !== null);
    // Where a start renamed both and went no further, the next one must not take the leaf for a new one.
    const isLost = read.length === 0 && (await readdir(folder)).some(isDamagedFile);
    const [first = new Map(), second = first] = read;
    const decisions = second === first ? first : joinAll(first, [...second], () => true);
    return new LeafUnits(folder, { decisions, isWhole: read.length === unitsFiles.length, isLost });
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

  /** Whether its rows are hidden from all queries because what was known of it is lost. */
  isUnsure({ gateway, number }: Pick<UnitStamp, "gateway" | "number">): boolean {
    return this.#decisions.get(gateway)?.unsure?.includes(number) === true;
  }

  /** A log has rows of this unit, and nothing is known of it. */
  noteReplayed(stamp: UnitStamp): void {
    if (!this.#isLost || this.isUnsure(stamp)) return;
    const known = this.#decisions.get(stamp.gateway) ?? noUnits;
    const unsure = [...(known.unsure ?? []), stamp.number];
    this.#decisions = new Map([...this.#decisions, [stamp.gateway, { ...known, unsure }]]);
  }

  /** All logs are read: units that come from here on are not in doubt. */
  endRecovery(): void {
    this.#isLost = false;
  }

  /**
   * Resolves when the decisions are on the disk and in effect. Without `named`, units in doubt stay so
   * unless the report names them.
   */
  settle(gateway: string, report: DecidedUnits, named?: NamedUnits): Promise<void> {
    const unsure = this.#decisions.get(gateway)?.unsure ?? [];
    const found = named?.forgotten.filter((number) => unsure.includes(number)) ?? [];
    const { upTo, except, aborted } = report;
    const whole = { upTo, except: [...except, ...found], aborted: [...aborted, ...found] };
    return this.#adoptNext([[gateway, whole]], named?.from ?? Number.POSITIVE_INFINITY);
  }

  /** The same for those that another leaf knows, whose copy this one is. */
  adopt(reports: PrintedDecisions): Promise<void> {
    return this.#adoptNext(reports, 0);
  }

  #adoptNext(reports: PrintedDecisions, namedFrom: number): Promise<void> {
    const settled = this.#saving.then(() => this.#adopt(reports, namedFrom));
    this.#saving = settled.catch(() => undefined);
    return settled;
  }

  async #adopt(reports: PrintedDecisions, namedFrom: number): Promise<void> {
    const joined = joinAll(this.#decisions, reports, this.isInLog, namedFrom);
    const printed = [...joined];
    const isSame = JSON.stringify(printed) === JSON.stringify(this.printed);
    if (isSame && this.#areFilesWhole) return;
    this.#areFilesWhole = false;
    for (const file of unitsFiles) await writeDocument(join(this.#folder, file), name, printed);
    this.#areFilesWhole = true;
    this.#decisions = joined;
    if (!isSame) this.onDecided();
  }
}

function joinAll(
  known: UnitDecisions,
  reports: PrintedDecisions,
  isInLog: LeafUnits["isInLog"],
  namedFrom = 0,
): UnitDecisions {
  const joined = new Map(known);
  for (const [gateway, report] of reports) {
    const before = joined.get(gateway);
    const both =
      before === undefined
        ? report
        : joinDecisions(before, report, (number) => isInLog({ gateway, number }));
    joined.set(gateway, keepUnsure(both, before ?? noUnits, report, namedFrom));
  }
  return joined;
}

const isDamagedFile = (entry: string): boolean =>
  unitsFiles.some((file) => entry.startsWith(`${file}.damaged-`));
