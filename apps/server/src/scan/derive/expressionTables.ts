import { LaterWork, StepMeter, type Steps } from "../../base/schedule/steps.js";
import type { Dictionary } from "../../column/dictionary.js";
import type { ColumnDictionary } from "../../column/segmentColumn.js";
import { createEvaluator } from "../../function/evaluate/evaluate.js";
import { type Cell, larger, overflow, smaller } from "../../function/term/cell.js";
import type { TypedExpression } from "../../function/term/typedExpression.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { cellOfCode } from "./inputColumn.js";

/**
 * The result of a term for each code of a dictionary, in the query's memory. Entry 0 is the result
 * for a missing value.
 */
export interface ExpressionTable {
  readonly entries: number;
  /** A byte for each code: 1 present, 0 missing, 2 overflown; 0: all are present. */
  readonly states: number;
  readonly min: bigint;
  readonly max: bigint;
  readonly mayMiss: boolean;
  readonly mayOverflow: boolean;
}

export interface TableInput {
  /** Which of the expression's inputs has the codes; the others are missing. */
  readonly index: number;
  readonly inputCount: number;
  /** What the expression reads of each code. */
  readonly wanted: "list" | "string";
}

/** A placeholder for a table that does not exist yet. */
const unfilled: ExpressionTable = {
  ...{ entries: 0, states: 0, min: 1n, max: 0n, mayMiss: true, mayOverflow: false },
};

/**
 * Terms that depend on one dictionary column alone are evaluated once for each of its values.
 */
export class ExpressionTables {
  readonly #tables = new Map<TypedExpression, Map<ColumnDictionary, ExpressionTable>>();
  readonly #unfilled = new LaterWork();

  readonly #results: Dictionary;
  readonly #memory: QueryMemory;

  constructor(results: Dictionary, memory: QueryMemory) {
    this.#results = results;
    this.#memory = memory;
  }

  /** Whether all wanted tables existed. */
  get isFilled(): boolean {
    return this.#unfilled.isDone;
  }

  /** The table, or its placeholder until {@link fill} is done. */
  tableOf(term: TypedExpression, dictionary: ColumnDictionary, input: TableInput): ExpressionTable {
    let ofTerm = this.#tables.get(term);
    if (ofTerm === undefined) {
      ofTerm = new Map();
      this.#tables.set(term, ofTerm);
    }
    const table = ofTerm.get(dictionary);
    if (table !== undefined) return table;
    this.#unfilled.note(this.#create(term, dictionary, input, ofTerm));
    return unfilled;
  }

  /** Computes the wanted tables. */
  fill(): Steps<void> {
    return this.#unfilled.finish();
  }

  *#create(
    term: TypedExpression,
    dictionary: ColumnDictionary,
    { index, inputCount, wanted }: TableInput,
    into: Map<ColumnDictionary, ExpressionTable>,
  ): Steps<void> {
    // One bind may ask for it several times.
    if (into.has(dictionary)) return;
    const { codeCount } = dictionary;
    const evaluate = createEvaluator(term);
    const inputs: Cell[] = Array.from({ length: inputCount }, () => null);
    const isInt = term.type === "int";
    const { buffer } = this.#memory.leaf.memory;
    const entries = this.#memory.allocate(codeCount * (isInt ? 8 : 4));
    const ints = isInt ? new BigInt64Array(buffer, entries, codeCount) : null;
    const words = isInt ? null : new Uint32Array(buffer, entries, codeCount);
    const states = new Uint8Array(codeCount);
    let min: bigint | null = null;
    let max: bigint | null = null;
    const meter = new StepMeter();
    for (let code = 0; code < codeCount; code++) {
      const value = code === 0 ? null : cellOfCode(dictionary, code, wanted);
      inputs[index] = value;
      const cell = evaluate(inputs);
      states[code] = cell === overflow ? 2 : cell === null ? 0 : 1;
      if (ints === null) words![code] = this.#word(cell);
      else ints[code] = typeof cell === "bigint" ? cell : 0n;
      if (typeof cell === "bigint") {
        min = min === null ? cell : smaller(min, cell);
        max = max === null ? cell : larger(max, cell);
      }
      if (meter.isFull(value?.length ?? 0)) yield;
    }
    const bounds = isInt ? { min: min ?? 1n, max: max ?? 0n } : { min: 0n, max: 1n };
    into.set(dictionary, {
      entries,
      states: states.every((state) => state === 1) ? 0 : this.#place(states),
      ...bounds,
      mayMiss: states.includes(0),
      mayOverflow: states.includes(2),
    });
  }

  /** A condition as 0 or 1, a string as its code. */
  #word(cell: Cell): number {
    if (typeof cell === "string") return this.#results.intern(cell);
    return cell === true ? 1 : 0;
  }

  #place(states: Uint8Array): number {
    const address = this.#memory.allocate(states.length);
    this.#memory.leaf.bytes.set(states, address);
    return address;
  }
}
