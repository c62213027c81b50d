import type { RowSet } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { createGroupProgress, groupTableOf, prepareSide } from "../group/groupTables.js";
import { explodeRows } from "../key/explodeRows.js";
import type { GroupProgress } from "../key/groupNumbers.js";
import type { StateContext } from "../state/stateScan.js";
import type { SideAnswer } from "../task/scanAnswer.js";
import type { ScanTask, ScanUnit, SideTask } from "../task/scanTask.js";
import { decodeColumns, decodeLateColumns } from "../value/decodeColumns.js";
import type { DeriveContext } from "../value/runDerive.js";
import { readSideAnswer } from "./readAnswer.js";

type BranchContext = StateContext & DeriveContext;

/** Problems that mean that a table has no more room. */
const refusals: readonly string[] = ["too-many-groups", "query-memory"];

/** A branch that still takes rows. */
interface OpenBranch {
  readonly sides: readonly SideTask[];
  readonly progress: readonly GroupProgress[];
}

/** The further tables of a task: each takes the rows that were selected for the task itself. */
export class BranchRun {
  readonly #context: BranchContext;
  /** Null: it has too many groups, and takes no more rows. */
  readonly #branches: (OpenBranch | null)[];
  /** Number of branches that have the rows of the present unit. */
  #added = 0;

  constructor(context: BranchContext, task: ScanTask) {
    this.#context = context;
    this.#branches = task.branches.map((sides) => {
      if (sides === null) return null;
      for (const side of sides) prepareSide(context, side);
      return { sides, progress: sides.map(createGroupProgress) };
    });
  }

  /** Whether some branches have rows that others lack. */
  get isBetween(): boolean {
    return this.#added > 0;
  }

  /** Adds the unit's rows to one branch after the other, until `endMs`. True: all have them. */
  add(unit: ScanUnit, rows: RowSet, endMs: number): boolean {
    while (this.#added < this.#branches.length) {
      this.#addBranch(unit, rows, this.#added);
      this.#added++;
      if (performance.now() >= endMs && this.#added < this.#branches.length) return false;
    }
    this.#added = 0;
    return true;
  }

  #addBranch(unit: ScanUnit, rows: RowSet, index: number): void {
    const branch = this.#branches[index];
    const own = unit.branches[index];
    if (branch === null || branch === undefined || own === null || own === undefined) return;
    try {
      const read = { ...unit, ...own };
      const progress = branch.progress[unit.side]!;
      addRows(this.#context, { unit: read, side: branch.sides[unit.side]!, rows, progress });
    } catch (error) {
      if (!(error instanceof HadalError) || !refusals.includes(error.code)) throw error;
      this.#branches[index] = null;
    }
  }

  answer(): (readonly SideAnswer[] | null)[] {
    return this.#branches.map((branch) => {
      if (branch === null) return null;
      const { sides, progress } = branch;
      return sides.map((side, i) => readSideAnswer(this.#context, side, progress[i]!));
    });
  }
}

interface BranchRows {
  readonly unit: ScanUnit;
  readonly side: SideTask;
  readonly rows: RowSet;
  readonly progress: GroupProgress;
}

function addRows(context: BranchContext, { unit, side, rows, progress }: BranchRows): void {
  decodeColumns(context, unit);
  decodeLateColumns(context, unit);
  const table = groupTableOf(side);
  explodeRows(context, unit, rows, (grouped, part) => {
    table.add(context, side, {
      ...{ unit, grouped, masked: unit, rows: part, count: part.count, mask: 0, progress },
      decodeLate() {},
      onGroups: null,
    });
  });
}
