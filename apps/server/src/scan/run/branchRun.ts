import type { RowSet } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { clearGroups, clearSide } from "../group/clearGroups.js";
import { explodeRows } from "../group/explodeRows.js";
import { gatherTotals } from "../group/gatherTotals.js";
import { createGroupProgress, type GroupProgress, groupRows } from "../group/groupRows.js";
import type { StateContext } from "../state/stateScan.js";
import { addToStates } from "../state/stateScans.js";
import type { ScanTask, ScanUnit, SideAnswer, SideTask } from "../task/scanTask.js";
import { decodeColumns, decodeLateColumns } from "../value/decodeColumns.js";
import type { DeriveContext } from "../value/runDerive.js";
import { readSideAnswer } from "./readAnswer.js";

type BranchContext = StateContext & DeriveContext;

/** A table has no more room. */
const refusals: readonly string[] = ["too-many-groups", "query-memory"];

/** A branch that still gathers. */
interface OpenBranch {
  readonly sides: readonly SideTask[];
  readonly progress: readonly GroupProgress[];
}

/** The further tables of a task: each gathers the rows that were selected for the task itself. */
export class BranchRun {
  /** Null: it has too many groups, and gathers no more. */
  readonly #branches: (OpenBranch | null)[];
  /** Of the unit that is open: branches that have its rows. */
  #gathered = 0;

  constructor(
    private readonly context: BranchContext,
    task: ScanTask,
  ) {
    this.#branches = task.branches.map((sides) => {
      if (sides === null) return null;
      for (const side of sides) clearSide(context, side);
      return { sides, progress: sides.map(createGroupProgress) };
    });
  }

  /** Whether some branches have rows that others lack. */
  get isBetween(): boolean {
    return this.#gathered > 0;
  }

  /** Gathers the unit's rows in one branch after the other, until `endMs`. True: all have them. */
  gather(unit: ScanUnit, rows: RowSet, endMs: number): boolean {
    while (this.#gathered < this.#branches.length) {
      this.#gatherBranch(unit, rows, this.#gathered);
      this.#gathered++;
      if (performance.now() >= endMs && this.#gathered < this.#branches.length) return false;
    }
    this.#gathered = 0;
    return true;
  }

  #gatherBranch(unit: ScanUnit, rows: RowSet, index: number): void {
    const branch = this.#branches[index];
    const own = unit.branches[index];
    if (branch === null || branch === undefined || own === null || own === undefined) return;
    try {
      const read = { ...unit, ...own };
      gatherRows(this.context, read, branch.sides[unit.side]!, rows, branch.progress[unit.side]!);
    } catch (error) {
      if (!(error instanceof HadalError) || !refusals.includes(error.code)) throw error;
      this.#branches[index] = null;
    }
  }

  answer(): (readonly SideAnswer[] | null)[] {
    return this.#branches.map((branch) => {
      if (branch === null) return null;
      const { sides, progress } = branch;
      return sides.map((side, i) => readSideAnswer(this.context, side, progress[i]!));
    });
  }
}

function gatherRows(
  context: BranchContext,
  unit: ScanUnit,
  side: SideTask,
  rows: RowSet,
  progress: GroupProgress,
): void {
  decodeColumns(context, unit);
  decodeLateColumns(context, unit);
  explodeRows(context, unit, rows, (exploded, part) => {
    if (exploded === unit && gatherTotals(context, unit, side, part, progress)) return;
    const before = progress.levelCounts.at(-1) ?? 0;
    const groups = groupRows(context, exploded, side, part, progress);
    clearGroups(context, side, before, progress.levelCounts.at(-1) ?? 0);
    const selection = { count: part.count, rows: part, mask: 0 };
    addToStates(context, side, { unit, selection, groups });
  });
}
