import { timeColumn } from "@hadal/sdk";
import { assert } from "../../base/assert.js";
import {
  type BoundTerm,
  callTerm,
  constantTerm,
  type Slot,
} from "../../function/bind/boundTerm.js";
import { createEvaluator } from "../../function/evaluate/evaluate.js";
import { overflow } from "../../function/term/cell.js";
import type {
  TypedCall,
  TypedExpression,
  TypedInput,
} from "../../function/term/typedExpression.js";
import type { BoundColumn } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { FilledSlot } from "../task/deriveTask.js";
import type { ExpressionTables } from "./expressionTables.js";
import { type InputColumn, inputColumn } from "./inputColumn.js";

/** Which inputs a term reads, for terms of resolved queries: they never change. */
const inputsRead = new WeakMap<TypedExpression, ReadonlySet<number>>();

/** What emitted code reads of one segment. */
export class SlotBinding {
  readonly slots: Slot[] = [];
  /** The columns of a view, aligned with the slots. */
  readonly #fill: ((view: SegmentView) => FilledSlot)[] = [];
  readonly #terms = new Map<TypedExpression | number, BoundTerm>();

  readonly #bound: readonly BoundColumn[];
  readonly #inputs: readonly InputColumn[];
  readonly #tables: ExpressionTables;
  readonly #codeOf: (text: string) => number;

  constructor(
    bound: readonly BoundColumn[],
    inputs: readonly InputColumn[],
    tables: ExpressionTables,
    codeOf: (text: string) => number,
  ) {
    this.#bound = bound;
    this.#inputs = inputs;
    this.#tables = tables;
    this.#codeOf = codeOf;
  }

  fill(view: SegmentView): readonly FilledSlot[] {
    return this.#fill.map((fill) => fill(view));
  }

  /**
   * The slot for a term; undefined: the term is computed from its arguments. Null: it cannot be
   * compiled here.
   */
  find(term: TypedExpression): BoundTerm | null | undefined {
    if (term.kind === "constant") return undefined;
    const read = [...inputsOf(term)].filter((index) => this.#inputs[index]!.kind !== "absent");
    const [index] = read;
    if (index === undefined) return this.#constant(term);
    const input = this.#inputs[index]!;
    if (read.length === 1 && input.kind === "coded") return this.#tabled(term, index, input);
    if (term.kind === "input") return input.kind === "int" ? this.#int(term, input) : null;
    if (term.fn === "is missing" || term.fn === "is present") return this.#presence(term);
    return undefined;
  }

  /** No row of the segment has any of the inputs. */
  #constant(term: TypedExpression): BoundTerm | null {
    const { type, decimals } = term;
    if (type === "list") return null;
    const cell = createEvaluator(term)(this.#bound.map(() => null));
    if (cell === null) return constantTerm(type, decimals, null);
    if (typeof cell === "bigint" || typeof cell === "number") {
      return constantTerm(type, decimals, cell);
    }
    if (typeof cell === "boolean") return constantTerm(type, decimals, cell ? 1n : 0n);
    if (typeof cell === "string") return constantTerm(type, decimals, BigInt(this.#codeOf(cell)));
    assert(cell === overflow, "constants are no lists");
    return null;
  }

  #tabled(
    term: TypedExpression,
    index: number,
    { column, dictionary }: Extract<InputColumn, { kind: "coded" }>,
  ): BoundTerm | null | undefined {
    const { type, decimals } = term;
    if (type === "list") return null;
    // Tables contain integers and 32-bit values; the parts of a wider number may have tables.
    if (type === "number") return undefined;
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const { name, type: ofColumn } = this.#bound[index]!;
    const wanted = ofColumn === "set" || ofColumn === "vector" ? "list" : "string";
    const inputCount = this.#bound.length;
    const table = this.#tables.tableOf(term, dictionary, { index, inputCount, wanted });
    const { entries, states, min, max, mayMiss, mayOverflow } = table;
    const { width } = column.values;
    const entry = type === "int" ? "i64" : "i32";
    const slot = this.#add({ kind: "table", width, entry, hasStates: states !== 0 }, (view) => {
      const seen = view.columns.get(name);
      assert(seen?.kind === "coded", "a view changes no column's kind");
      return { kind: "table", values: seen.values, entries, states };
    });
    const facts = { min, max, mayMiss, mayOverflow };
    const found: BoundTerm = { kind: "slot", slot, type, decimals, ...facts };
    this.#terms.set(term, found);
    return found;
  }

  #int(
    { index, decimals }: TypedInput,
    { column, overflown }: Extract<InputColumn, { kind: "int" }>,
  ): BoundTerm {
    let found = this.#terms.get(index);
    if (found === undefined) {
      const { name } = this.#bound[index]!;
      const { min, max, present } = column;
      const { width } = column.values;
      const [mayMiss, mayOverflow] = [present !== 0, overflown !== 0];
      const shape = { hasPresent: mayMiss, hasOverflow: mayOverflow };
      const slot = this.#add({ kind: "ints", width, ...shape }, (view) =>
        fillInts(name, view, overflown),
      );
      const facts = { min, max, mayMiss, mayOverflow };
      found = { kind: "slot", slot, type: "int", decimals: column.decimals, ...facts };
      this.#terms.set(index, found);
    }
    return found.decimals === decimals ? found : callTerm("rescale", [found], "int", decimals);
  }

  /** Of a column whose strings the code cannot have. */
  #presence(term: TypedCall): BoundTerm | undefined {
    const [arg] = term.args;
    if (arg?.kind !== "input") return undefined;
    const input = this.#inputs[arg.index]!;
    if (input.kind !== "text" && input.kind !== "printed") return undefined;
    const { name } = this.#bound[arg.index]!;
    const mayMiss = input.column.present !== 0;
    const slot = this.#add(
      { kind: "ints", width: 0, hasPresent: mayMiss, hasOverflow: false },
      (view) => {
        const seen = view.columns.get(name);
        assert(seen !== undefined && seen.kind !== "coded", "a view changes no column's kind");
        const values = { address: 0, width: 0 } as const;
        return { kind: "ints", values, base: 0n, present: seen.present, overflown: 0 };
      },
    );
    const facts = { min: 0n, max: 0n, mayMiss, mayOverflow: false };
    const presence: BoundTerm = { kind: "slot", slot, type: "int", decimals: 0, ...facts };
    return callTerm(term.fn, [presence], "truth", 0);
  }

  #add(slot: Slot, fill: (view: SegmentView) => FilledSlot): number {
    this.#fill.push(fill);
    return this.slots.push(slot) - 1;
  }
}

export function bindSlots(
  bound: readonly BoundColumn[],
  segment: SegmentView,
  tables: ExpressionTables,
  codeOf: (text: string) => number,
): SlotBinding {
  const inputs = bound.map((column) => inputColumn(column, segment));
  return new SlotBinding(bound, inputs, tables, codeOf);
}

function fillInts(name: string, view: SegmentView, overflown: number): FilledSlot {
  if (name === timeColumn) {
    const { times, timeBase } = view;
    return { kind: "ints", values: times, base: timeBase, present: 0, overflown };
  }
  const seen = view.columns.get(name);
  assert(seen?.kind === "int", "a view changes no column's kind");
  const { values, base, present } = seen;
  return { kind: "ints", values, base, present, overflown };
}

function inputsOf(term: TypedExpression): ReadonlySet<number> {
  let found = inputsRead.get(term);
  if (found === undefined) {
    found =
      term.kind === "input"
        ? new Set([term.index])
        : new Set(term.kind === "call" ? term.args.flatMap((arg) => [...inputsOf(arg)]) : []);
    inputsRead.set(term, found);
  }
  return found;
}
