import { type KernelOperations, programTotalsBytes } from "@hadal/kernel-wasm";
import { sumsPerSpread } from "../../aggregate/state/spreadState.js";
import type { Scratch } from "../memory/scratch.js";
import { type ProgramTask, totalsOfInput } from "../task/programTask.js";
import type { SideTask } from "../task/scanTask.js";

export interface ProgramProgress {
  readonly units: number;
  readonly rowsScanned: number;
  readonly rowsMatched: number;
  readonly bytesScanned: number;
}

/** The memory and the kernel of a scan thread. */
export interface RunMemory {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
}

/** A scan program on one thread. */
export class ProgramRun {
  readonly #totals: BigInt64Array;
  #next: number;

  readonly #memory: WebAssembly.Memory;
  readonly #kernel: KernelOperations;
  readonly #scratch: Scratch;
  readonly #task: ProgramTask;
  readonly #side: SideTask;

  constructor({ memory, kernel, scratch }: RunMemory, task: ProgramTask, side: SideTask) {
    this.#memory = memory;
    this.#kernel = kernel;
    this.#scratch = scratch;
    this.#task = task;
    this.#side = side;
    const { totals, inputCount } = task;
    this.#totals = new BigInt64Array(memory.buffer, totals, programTotalsBytes(inputCount) / 8);
    this.#totals.fill(0n);
    this.#next = this.#take(0);
  }

  get done(): boolean {
    return this.#next >= this.#task.unitCount;
  }

  /** Units that all lanes have taken, when this one last looked. */
  get unitsTaken(): number {
    return Math.min(this.#next, this.#task.unitCount);
  }

  /** Scans the next few segments, and adds their totals to the side's accumulators. */
  step(): ProgramProgress {
    const { address, unitCount, unitsAtOnce, totals, unitTotals } = this.#task;
    const first = this.#next;
    const end = Math.min(unitCount, first + unitsAtOnce);
    if (unitTotals !== 0) this.#runEach(first, end);
    else this.#kernel.runProgram(address, first, end, totals, this.#scratch.program);
    this.#next = this.#take(end);
    return { units: end - first, ...this.#addTotals() };
  }

  /** Runs units one by one, each with its own totals. */
  #runEach(first: number, end: number): void {
    const { address, unitTotals } = this.#task;
    const totals = this.#totals;
    for (let unit = first; unit < end; unit++) {
      const at = unitTotals + unit * totals.byteLength;
      const own = new BigInt64Array(this.#memory.buffer, at, totals.length).fill(0n);
      this.#kernel.runProgram(address, unit, unit + 1, at, this.#scratch.program);
      for (let i = 0; i < totals.length; i++) totals[i]! += own[i]!;
    }
  }

  /** Number of the next unit; where lanes share the units, of the next that no lane has taken. */
  #take(following: number): number {
    const { cursor, unitsAtOnce } = this.#task;
    if (cursor === 0) return following;
    return Atomics.add(new Uint32Array(this.#memory.buffer, cursor, 1), 0, unitsAtOnce);
  }

  #addTotals(): Omit<ProgramProgress, "units"> {
    const totals = this.#totals;
    const [rowsScanned, bytesScanned, rows, weight] = totals;
    const { buffer } = this.#memory;
    const add = (address: number, by: bigint): void => {
      if (address !== 0) new BigInt64Array(buffer, address, 1)[0]! += by;
    };
    new Uint32Array(buffer, this.#side.counts, 1)[0]! += Number(rows!);
    this.#side.states.forEach((state, index) => {
      const input = this.#task.inputs[index]!;
      const own = totalsOfInput(totals, input);
      const [sum, inputWeight, inputRows] = own;
      if (state.kind === "weight") add(state.sums, weight!);
      else if (state.kind === "present")
        add(state.sums, state.weighted ? inputWeight! : inputRows!);
      else if (state.kind === "sum") {
        add(state.sums, sum!);
        add(state.weights, inputWeight!);
      } else if (state.kind === "spread") {
        if (state.sums !== 0) addSpread(new Float64Array(buffer, state.sums, sumsPerSpread), own);
      } else if (state.kind !== "rows") {
        throw new Error(`a program adds up no ${state.kind}`);
      }
    });
    totals.fill(0n);
    return {
      rowsScanned: Number(rowsScanned!),
      rowsMatched: Number(rows!),
      bytesScanned: Number(bytesScanned!),
    };
  }
}

/** The sums of a spread are doubles where an input's are integers. */
function addSpread(sums: Float64Array, { buffer, byteOffset, length }: BigInt64Array): void {
  const own = new Float64Array(buffer, byteOffset, length);
  for (let i = 0; i < length; i++) sums[i]! += own[i]!;
}
