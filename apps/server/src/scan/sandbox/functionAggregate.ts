import type { RowSet } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import { type ColumnReader, createColumnReader } from "../../column/readColumn.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import { placedProblem } from "../../function/sandbox/functionProblem.js";
import type { SandboxRun } from "../../function/sandbox/sandboxHost.js";
import type { BatchColumn } from "../../function/sandbox/sandboxMessages.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { DecodeContext } from "../value/decodeColumns.js";
import type { StringReader } from "../value/stringReader.js";
import { FunctionInput } from "./functionInput.js";
import { PlainInputs } from "./plainInputs.js";
import type { RowAggregator } from "./rowAggregator.js";

export type FunctionStateSpec = Extract<StateSpec, { kind: "function" }>;

/** A state whose function is open in the sandbox. */
interface OpenState {
  readonly spec: FunctionStateSpec;
  /** Place among the query's states. */
  readonly stateIndex: number;
  readonly run: SandboxRun;
}

/** Groups of one function on one leaf: each has an object in the sandbox's memory. */
const functionGroupsMax = 10_000;
const callRowsMax = 16_384;

/**
 * A user's aggregate function in one query on one leaf: the rows of each group are sent to its
 * state in the sandbox.
 */
export class FunctionAggregator implements RowAggregator {
  readonly #reader: ColumnReader;
  readonly #inputs: readonly FunctionInput[];
  /** The sandbox's numbers of groups, by side and group of the present round. */
  readonly #numbers = new Map<string, number>();
  readonly #plain: PlainInputs;

  readonly #run: SandboxRun;
  readonly #reading: DecodeContext;
  readonly spec: FunctionStateSpec;
  readonly stateIndex: number;

  constructor({ spec, stateIndex, run }: OpenState, reading: DecodeContext, strings: StringReader) {
    this.spec = spec;
    this.stateIndex = stateIndex;
    this.#run = run;
    this.#reading = reading;
    const { memory } = reading;
    this.#reader = createColumnReader(memory);
    this.#inputs = spec.columns.map((column) => new FunctionInput(column, memory, strings));
    this.#plain = new PlainInputs(reading, (view) =>
      this.#inputs.map((input) => input.columnOf(view)),
    );
  }

  begin(memory: QueryMemory): void {
    this.#numbers.clear();
    this.#plain.begin(memory);
  }

  /** Sends rows with their groups. */
  update(side: number, segment: SegmentView, rows: RowSet, groups: number): Promise<unknown>[] {
    const { buffer } = this.#reading.memory;
    const listed = new Uint32Array(buffer, rows.rows, rows.rows === 0 ? 0 : rows.count);
    const numbers = new Uint32Array(buffer, groups, groups === 0 ? 0 : rows.count);
    const columns = this.#plain.columns(segment);
    const sent: Promise<unknown>[] = [];
    for (let from = 0; from < rows.count; ) {
      const most = Math.min(callRowsMax, rows.count - from);
      const own = new Uint32Array(most);
      for (let i = 0; i < most; i++) {
        own[i] = rows.rows === 0 ? rows.start + from + i : listed[from + i]!;
      }
      const count = this.#inputs.reduce(
        (least, input, k) => Math.min(least, input.fitting(columns[k], own)),
        most,
      );
      this.#plain.refuseOverflown(own.subarray(0, count));
      const groupOf = (i: number): number => (groups === 0 ? 0 : numbers[from + i]!);
      const batch = { side, columns, rows: own.subarray(0, count) };
      sent.push(this.#send(segment, batch, groupOf).catch(this.#fail));
      from += count;
    }
    return sent;
  }

  /** Replaces the numbers of this round's groups by their states, which the sandbox forgets. */
  async take(columns: readonly StateColumn[]): Promise<readonly StateColumn[]> {
    const { states } = await this.#run.call({ kind: "states" }, "states").catch(this.#fail);
    return columns.map((column, side) => {
      if (column.kind !== "function") throw new Error("a function's states are of another kind");
      return {
        kind: "function",
        states: column.states.map(([group = ""]) => {
          const number = this.#numbers.get(`${side}/${group}`);
          return number === undefined ? [] : [states[number]!];
        }),
      };
    });
  }

  readonly #fail = (error: unknown): never => {
    throw placedProblem(error, `states[${this.stateIndex}]`, null);
  };

  async #send(
    { weights }: SegmentView,
    { side, columns, rows }: SentRows,
    groupOf: (i: number) => number,
  ): Promise<unknown> {
    const values = this.#inputs.map((input, k) => input.read(columns[k], rows));
    const kept: number[] = [];
    for (let i = 0; i < rows.length; i++) {
      if (values.every((column) => isPresent(column, i))) kept.push(i);
    }
    const numbers = Uint32Array.from(kept, (i) => this.#numberOf(side, groupOf(i)));
    const weightOf = (row: number): number =>
      weights === null ? 1 : Math.max(1, this.#reader.code(weights, row));
    return this.#run.call(
      {
        kind: "update",
        rowCount: kept.length,
        columns: values.map((column) => keepRows(column, kept)),
        groups: numbers,
        groupCount: this.#numbers.size,
        weights: weights === null ? null : Uint32Array.from(kept, (i) => weightOf(rows[i]!)),
      },
      "updated",
    );
  }

  #numberOf(side: number, group: number): number {
    const key = `${side}/${group}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size;
      if (number >= functionGroupsMax) {
        const what = "was asked for too many groups";
        const limitName = "functionGroupsMax";
        throw new HadalError("function-limit", { what, max: functionGroupsMax, limitName });
      }
      this.#numbers.set(key, number);
    }
    return number;
  }
}

interface SentRows {
  readonly side: number;
  readonly columns: readonly (SegmentColumn | undefined)[];
  readonly rows: Uint32Array;
}

function isPresent(column: BatchColumn, i: number): boolean {
  return column.kind === "codes" ? column.values[i] !== 0 : !Number.isNaN(column.values[i]!);
}

/** Of the kept rows none lacks a value. */
function keepRows(column: BatchColumn, kept: readonly number[]): BatchColumn {
  const { values } = column;
  if (column.kind === "codes") {
    return { ...column, values: Uint32Array.from(kept, (i) => values[i]!) };
  }
  const own =
    values instanceof Int32Array
      ? Int32Array.from(kept, (i) => values[i]!)
      : Float64Array.from(kept, (i) => values[i]!);
  return { kind: "numbers", values: own, complete: true };
}
