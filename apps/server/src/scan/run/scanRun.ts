import type { RowSet } from "@hadal/kernel-wasm";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader } from "../../column/textReader.js";
import { checkOverflow, checkTested } from "../filter/checkOverflow.js";
import { type SelectContext, selectRows } from "../filter/selectRows.js";
import { addByTime, isAddedByTime } from "../group/addByTime.js";
import { createGroupProgress, groupTableOf, prepareSide } from "../group/groupTables.js";
import { explodeRows } from "../key/explodeRows.js";
import type { GroupProgress } from "../key/groupNumbers.js";
import { maskShareMin, neverMasked, type Selection } from "../memory/selection.js";
import { ProgramRun, type RunMemory } from "../program/programRun.js";
import { countersMax } from "../state/histogram/readHistograms.js";
import { maskedUnit, maskShareOf } from "../state/maskedUnit.js";
import type { ScanAnswer, SideAnswer } from "../task/scanAnswer.js";
import type { SampleTask, ScanTask, ScanUnit, SideTask } from "../task/scanTask.js";
import { decodeColumns, decodeLateColumns } from "../value/decodeColumns.js";
import type { RowEvaluator } from "../value/rowEvaluator.js";
import type { DeriveContext } from "../value/runDerive.js";
import { createStringReader } from "../value/stringReader.js";
import { BranchRun } from "./branchRun.js";
import { OrderedRows } from "./orderedRows.js";
import { readSideSteps } from "./readAnswer.js";
import { SampleRows } from "./sampleRows.js";

/** How long the branches of one segment may keep the thread. */
const branchesTurnMs = 2;

/**
 * Called with the rows of every unit and the address of their group numbers; 0: all rows are in one
 * group.
 */
type OnGroups = (unitIndex: number, rows: RowSet, groups: number) => void;

/**
 * One task on one scan thread, a segment at a time: between them other tasks and cancellations get
 * their turn.
 */
export class ScanRun {
  readonly task: ScanTask;
  readonly #onGroups: OnGroups | null;
  readonly #context: SelectContext & DeriveContext;
  readonly #progress: readonly GroupProgress[];
  readonly #sample: SampleRows | OrderedRows | null;
  readonly #programs: readonly ProgramRun[];
  readonly #branches: BranchRun | null;
  #next: number;
  #unitsScanned = 0;
  #rowsScanned = 0;
  #rowsMatched = 0;
  #bytesScanned = 0;
  #scanMs = 0;

  constructor(thread: RunMemory, task: ScanTask, onGroups: OnGroups | null = null) {
    const { memory, kernel, scratch } = thread;
    this.task = task;
    this.#onGroups = onGroups;
    const reader = createColumnReader(memory);
    const strings = createStringReader(reader, createTextReader(memory, kernel, scratch.pages));
    this.#context = { memory, kernel, reader, strings, rows: strings.rows, scratch };
    for (const side of task.sides) prepareSide(this.#context, side);
    this.#progress = task.sides.map(createGroupProgress);
    this.#sample = task.sample && createSample(memory, task.sample, strings.rows);
    this.#programs = task.programs.map(
      (program) => new ProgramRun(thread, program, task.sides[program.side]!),
    );
    this.#branches = task.branches.length === 0 ? null : new BranchRun(this.#context, task);
    this.#next = this.#takeUnit(0);
  }

  /** Whether its answer covers whole segments now. */
  get isWhole(): boolean {
    return this.#branches?.isBetween !== true;
  }

  get done(): boolean {
    return this.#next >= this.task.units.length && this.#programs.every(({ done }) => done);
  }

  get rowsScanned(): number {
    return this.#rowsScanned;
  }

  /** Whether no row of these times can be among the wanted raw rows. */
  canSkip(times: Pick<ScanUnit, "minMs" | "maxMs">): boolean {
    return this.#sample?.canSkip(times) === true;
  }

  /** The share of the task that is done; lanes that share the units count together. */
  get share(): number {
    const taken = this.#programs.reduce((sum, { unitsTaken }) => sum + unitsTaken, this.#next);
    return Math.min(1, taken / unitCountOf(this.task));
  }

  /** Upper bound of its groups; infinite where groups are not counted during the scan. */
  get groupsMax(): number {
    if (this.#branches !== null) return Number.POSITIVE_INFINITY;
    return this.task.sides.reduce(
      (sum, side, i) => sum + groupTableOf(side).groupsMax(side, this.#progress[i]!),
      0,
    );
  }

  /** Upper bound of the counters of its histograms, without those of branches. */
  get countersMax(): number {
    if (this.#branches !== null) return 0;
    const { memory } = this.#context;
    return this.task.sides.reduce(
      (sum, side, i) => sum + countersMaxOf(memory, side, this.#progress[i]!),
      0,
    );
  }

  /** Scans the next segment, or the next few that a program does. */
  step(): void {
    const startMs = performance.now();
    const program = this.#nextProgram();
    if (program === null) this.#scanUnit();
    else {
      const { units, rowsScanned, rowsMatched, bytesScanned } = program.step();
      this.#unitsScanned += units;
      this.#rowsScanned += rowsScanned;
      this.#rowsMatched += rowsMatched;
      this.#bytesScanned += bytesScanned;
    }
    this.#scanMs += performance.now() - startMs;
  }

  /** The program that is furthest behind: so both sides of a comparison grow alike. */
  #nextProgram(): ProgramRun | null {
    let next: ProgramRun | null = null;
    for (const program of this.#programs) {
      if (!program.done && (next === null || program.unitsTaken < next.unitsTaken)) next = program;
    }
    return next;
  }

  #scanUnit(): void {
    const unitIndex = this.#next;
    const unit = this.task.units[unitIndex]!;
    if (this.#branches?.isBetween === true) {
      decodeColumns(this.#context, unit);
      if (!this.#addBranches(unit, selectRows(this.#context, unit, neverMasked))) return;
    } else if (!this.canSkip(unit)) {
      const side = this.task.sides[unit.side]!;
      const overflown = unit.filter.op === "none" ? [] : decodeColumns(this.#context, unit);
      if (overflown.length > 0) checkOverflow(this.#context, unit, overflown);
      const isSampled = this.#sample !== null;
      const reportsGroups = this.#onGroups !== null;
      const byTime =
        !isSampled && !reportsGroups && isAddedByTime(this.#context.memory, unit, side);
      const isListed = isSampled || reportsGroups || this.#branches !== null;
      const maskShare = byTime ? maskShareMin : isListed ? neverMasked : maskShareOf(side, unit);
      const selected = selectRows(this.#context, unit, maskShare);
      const selection = checkTested(this.#context, unit)
        ? selectRows(this.#context, unit, maskShare)
        : selected;
      this.#rowsScanned += unit.rowCount;
      this.#rowsMatched += selection.count;
      this.#bytesScanned += unit.bytes;
      if (selection.count > 0) {
        if (this.#sample !== null) this.#sample.add(unit, unitIndex, selection.rows);
        else if (byTime) addByTime(this.#context, unit, side, selection);
        else this.#addRows(unit, unitIndex, side, selection);
        if (!this.#addBranches(unit, selection)) return;
      }
    }
    this.#unitsScanned++;
    this.#next = this.#takeUnit(unitIndex + 1);
  }

  /** False: more branches follow in the next turn. */
  #addBranches(unit: ScanUnit, { rows }: Selection): boolean {
    return this.#branches?.add(unit, rows, performance.now() + branchesTurnMs) ?? true;
  }

  /** Number of the next unit; where lanes share the units, of the next that no lane has taken. */
  #takeUnit(following: number): number {
    const { cursor } = this.task;
    if (cursor === 0) return following;
    return Atomics.add(new Uint32Array(this.#context.memory.buffer, cursor, 1), 0, 1);
  }

  #addRows(unit: ScanUnit, unitIndex: number, side: SideTask, selection: Selection): void {
    const context = this.#context;
    const { mask, count } = selection;
    const masked = mask === 0 ? unit : maskedUnit(context, unit, mask);
    const table = groupTableOf(side);
    let isDecoded = false;
    const decodeLate = (): void => {
      if (!isDecoded) decodeLateColumns(context, unit);
      isDecoded = true;
    };
    explodeRows(context, unit, selection.rows, (grouped, rows) => {
      const onGroups = this.#onGroups;
      const progress = this.#progress[unit.side]!;
      table.add(context, side, {
        ...{ unit, grouped, rows, masked, mask, count, progress, decodeLate },
        onGroups: onGroups && ((groups) => onGroups(unitIndex, rows, groups)),
      });
    });
  }

  answer(): ScanAnswer {
    return atOnce(this.answerSteps());
  }

  /** The caller must not scan between these steps. */
  *answerSteps(): Steps<ScanAnswer> {
    for (const [i, side] of this.task.sides.entries()) {
      groupTableOf(side).flush?.(this.#context, side, this.#progress[i]!);
    }
    const sides: SideAnswer[] = [];
    for (const [i, side] of this.task.sides.entries()) {
      sides.push(yield* readSideSteps(this.#context, side, this.#progress[i]!));
    }
    return {
      id: this.task.id,
      done: this.done,
      sides,
      sample: this.#sample?.answer() ?? null,
      branches: this.#branches?.answer() ?? [],
      rowsScanned: this.#rowsScanned,
      rowsMatched: this.#rowsMatched,
      bytesScanned: this.#bytesScanned,
      unitsScanned: this.#unitsScanned,
      scanMs: this.#scanMs,
    };
  }
}

function createSample(
  memory: WebAssembly.Memory,
  task: SampleTask,
  rows: RowEvaluator,
): SampleRows | OrderedRows {
  return task.orders === undefined
    ? new SampleRows(memory, task)
    : new OrderedRows(memory, task, rows);
}

/** Counters of the groups that the cut leaves. */
function countersMaxOf(
  memory: WebAssembly.Memory,
  side: SideTask,
  progress: GroupProgress,
): number {
  const { preCut, states } = side;
  const most = groupTableOf(side).groupsMax(side, progress);
  const groups = preCut?.bySeries === false ? Math.min(preCut.max, most) : most;
  return states.reduce(
    (sum, state) => sum + (state.kind === "histogram" ? countersMax(memory, state, groups) : 0),
    0,
  );
}

/** Segments of a task, however they are scanned. */
export function unitCountOf({ units, programs }: ScanTask): number {
  return programs.reduce((sum, { unitCount }) => sum + unitCount, units.length);
}
