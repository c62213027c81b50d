import { assert } from "../../base/assert.js";
import type { Steps } from "../../base/schedule/steps.js";
import { Dictionary } from "../../column/dictionary.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import { bindTerm } from "../../function/bind/bindTerm.js";
import type { BoundTerm } from "../../function/bind/boundTerm.js";
import { int64Max, int64Min } from "../../function/term/cell.js";
import type { TypedExpression } from "../../function/term/typedExpression.js";
import type { ResolvedDerived } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { DerivedName, SharedExpression } from "../task/deriveTask.js";
import { bindSlots, type SlotBinding } from "./bindSlots.js";
import { columnProduct } from "./columnProduct.js";
import { CompiledSource } from "./compiledSource.js";
import { DerivedCodes, DerivedInts, DerivedTexts } from "./derivedColumn.js";
import type { DerivedContext } from "./derivedContext.js";
import { DerivedSegment } from "./derivedSegment.js";
import { EvaluatedColumnSource } from "./evaluatedSource.js";
import { ExpressionTables } from "./expressionTables.js";
import { LateSource } from "./lateSource.js";
import { StringTables } from "./stringTables.js";

/** The derived columns of a query, as further columns of every segment. */
export class DerivedColumns {
  readonly #contexts: readonly DerivedContext[];
  readonly #strings: StringTables;

  constructor(derived: readonly ResolvedDerived[], memory: QueryMemory) {
    this.#strings = new StringTables(memory);
    // What functions in a sandbox give is among the segments' columns already.
    this.#contexts = derived.flatMap((one) =>
      one.how.kind === "expression"
        ? [contextOf(one, one.how.expression, this.#strings, memory)]
        : [],
    );
  }

  /**
   * The segments with the derived columns, evaluated until dictionaries are complete: column by
   * column, as a column derived from a derived one is evaluated once for each distinct value.
   */
  *addTo(segments: readonly SegmentView[]): Steps<readonly SegmentView[]> {
    if (this.#contexts.length === 0) return segments;
    const columnsOf = segments.map(() => new Map<string, SegmentColumn | undefined>());
    const added = segments.map((segment, i) => new DerivedSegment(segment, columnsOf[i]!));
    for (const context of this.#contexts) {
      for (const [i, segment] of added.entries()) {
        columnsOf[i]!.set(context.derived.name, yield* derivedColumn(context, segment));
      }
    }
    return added;
  }

  /** Writes the tables that tasks point to: then threads may run these. */
  fill(): Steps<void> {
    return this.#strings.fill();
  }
}

function contextOf(
  derived: ResolvedDerived,
  expression: TypedExpression,
  strings: StringTables,
  memory: QueryMemory,
): DerivedContext {
  const dictionary = new Dictionary();
  return {
    derived,
    expression,
    name: new DerivedName(derived.name),
    shared: new SharedExpression(expression),
    dictionary,
    tables: new ExpressionTables(dictionary, memory),
    strings,
    memory,
  };
}

/** Columns derived before it are columns of the segment already. Undefined: no row has a value. */
function* derivedColumn(
  context: DerivedContext,
  segment: SegmentView,
): Steps<SegmentColumn | undefined> {
  const known = productColumn(context, segment);
  if (known !== null) return known;
  const { derived, expression, dictionary, tables } = context;
  const codeOf = (text: string): number => dictionary.intern(text);
  for (;;) {
    const slots = bindSlots(derived.inputs, segment, tables, codeOf);
    const term = bindTerm(expression, { find: (one) => slots.find(one), codeOf });
    if (tables.isFilled) {
      if (term === null) return evaluatedColumn(context, segment);
      if (term.kind === "constant" && term.value === null) return undefined;
      return compiledColumn(context, segment, term, slots);
    }
    // Facts of the tables decide how the others are bound: once more, with all of them.
    yield* tables.fill();
  }
}

function compiledColumn(
  context: DerivedContext,
  segment: SegmentView,
  term: BoundTerm,
  slots: SlotBinding,
): SegmentColumn {
  const { derived, dictionary } = context;
  const source = new CompiledSource(context, segment, term, slots);
  if (derived.type === "string") return new DerivedCodes(source, dictionary);
  return new DerivedInts(source, derived.decimals, term);
}

/**
 * A product of stored integers that cannot overflow; null: the column is something else in this
 * segment.
 */
function productColumn(context: DerivedContext, segment: SegmentView): DerivedInts | null {
  const { derived, expression, dictionary, tables } = context;
  if (derived.type !== "int") return null;
  const product = columnProduct(expression, derived.inputs, segment);
  if (product === null) return null;
  const { min, max } = product;
  if (min > max || min < int64Min || max > int64Max) return null;
  const codeOf = (text: string): number => dictionary.intern(text);
  const source = new LateSource(() => {
    const slots = bindSlots(derived.inputs, segment, tables, codeOf);
    const term = bindTerm(expression, { find: (one) => slots.find(one), codeOf });
    assert(term !== null, "products of stored integers have code");
    return new CompiledSource(context, segment, term, slots);
  });
  return new DerivedInts(source, derived.decimals, { min, max }, product);
}

function evaluatedColumn(context: DerivedContext, segment: SegmentView): SegmentColumn {
  const source = new EvaluatedColumnSource(context, segment);
  const { derived } = context;
  if (derived.type === "int") {
    return new DerivedInts(source, derived.decimals, { min: int64Min, max: int64Max });
  }
  return new DerivedTexts(source, source.present, (view) => source.sourceIn(view));
}

/** The columns that a query reads, with those that derived ones are made of instead of these. */
export function storedColumns(
  names: ReadonlySet<string>,
  derived: readonly ResolvedDerived[],
): ReadonlySet<string> {
  const stored = new Set(names);
  for (const { name, inputs } of derived.toReversed()) {
    if (!stored.delete(name)) continue;
    for (const input of inputs) stored.add(input.name);
  }
  return stored;
}
