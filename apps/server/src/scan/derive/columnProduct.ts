import type { Values } from "@hadal/kernel-wasm";
import type { IntColumn } from "../../column/segmentColumn.js";
import { larger, smaller } from "../../function/term/cell.js";
import type { TypedExpression, TypedInput } from "../../function/term/typedExpression.js";
import type { BoundColumn } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";

/** The product of one or two stored columns, which the kernel multiplies while it sums. */
export interface ColumnProduct {
  readonly values: Values;
  readonly base: bigint;
  /** Null: the first column alone. */
  readonly second: { readonly values: Values; readonly base: number } | null;
  /** Where there is a value. */
  readonly present: number;
  /**
   * The bounds by the columns' zone maps; they may be beyond 64 bits. `min` above `max`: there are
   * no values.
   */
  readonly min: bigint;
  readonly max: bigint;
}

/** A product's factors, one or two, and the columns that must have a value besides. */
interface ProductTerms {
  readonly factors: readonly TypedInput[];
  readonly needed: readonly TypedInput[];
}

/** The second column's base is kept in 32 bits. */
const secondBaseMax = 2n ** 31n;

/**
 * The product of one or two columns where some others have a value too. {@link columnProduct} knows
 * it again.
 */
export function productWhere(
  factors: readonly TypedInput[],
  needed: readonly number[],
  inputOf: (index: number) => TypedInput,
  decimals: number,
): TypedExpression {
  const type = "int";
  const [first, second] = factors as readonly [TypedInput, TypedInput?];
  const product: TypedExpression =
    second === undefined ? first : { kind: "call", fn: "*", args: [first, second], type, decimals };
  const missing: TypedExpression = { kind: "constant", type, decimals, value: null };
  return needed.reduce<TypedExpression>((value, index) => {
    const isThere: TypedExpression = {
      ...{ kind: "call", fn: "is present", args: [inputOf(index)], type: "truth", decimals: 0 },
    };
    return { kind: "call", fn: "case", args: [isThere, value, missing], type, decimals };
  }, product);
}

/**
 * How the kernel reads a derived column that is such a product of the segment's stored columns;
 * null: it is something else, or not stored plainly enough.
 */
export function columnProduct(
  expression: TypedExpression,
  inputs: readonly BoundColumn[],
  segment: SegmentView,
): ColumnProduct | null {
  const terms = termsOf(expression);
  if (terms === null) return null;
  const columns: IntColumn[] = [];
  for (const input of [...terms.factors, ...terms.needed]) {
    const column = storedInts(input, inputs[input.index]!, segment);
    if (column === null) return null;
    columns.push(column);
  }
  const bitmaps = new Set(columns.map((column) => column.present));
  bitmaps.delete(0);
  const [first, second] = columns;
  if (first === undefined || bitmaps.size > 1) return null;
  const [present = 0] = bitmaps;
  const { values, base } = first;
  if (terms.factors.length === 1) {
    const { min, max } = first;
    return { values, base, second: null, present, min, max };
  }
  if (second === undefined || !isNarrow(first) || !isNarrow(second)) return null;
  if (second.base < -secondBaseMax || second.base >= secondBaseMax) return null;
  const factor = { values: second.values, base: Number(second.base) };
  return { values, base, second: factor, present, ...boundsOf(first, second) };
}

/** A product has its extremes at corners; without values on one side it has none. */
function boundsOf(a: IntColumn, b: IntColumn): { readonly min: bigint; readonly max: bigint } {
  if (a.min > a.max || b.min > b.max) return { min: 1n, max: 0n };
  const low = a.min * b.min;
  if (a.min >= 0n && b.min >= 0n) return { min: low, max: a.max * b.max };
  const others = [a.min * b.max, a.max * b.min, a.max * b.max];
  return { min: others.reduce(smaller, low), max: others.reduce(larger, low) };
}

const isNarrow = ({ values }: IntColumn): boolean => values.width <= 4;

/** Remembered by expression, which never changes: every segment needs it. */
const known = new WeakMap<TypedExpression, ProductTerms | null>();

function termsOf(expression: TypedExpression): ProductTerms | null {
  let terms = known.get(expression);
  if (terms === undefined) {
    terms = productTerms(expression);
    known.set(expression, terms);
  }
  return terms;
}

function productTerms(expression: TypedExpression): ProductTerms | null {
  if (expression.kind === "input") {
    return expression.type === "int" ? { factors: [expression], needed: [] } : null;
  }
  if (expression.kind !== "call") return null;
  const { fn, args, decimals } = expression;
  if (fn === "*") {
    const [left, right] = args;
    if (left?.kind !== "input" || right?.kind !== "input") return null;
    // Else digits are cut off.
    const isWhole = decimals === left.decimals + right.decimals;
    return isWhole ? { factors: [left, right], needed: [] } : null;
  }
  const [condition, value, otherwise] = args;
  if (fn !== "case" || args.length !== 3 || value === undefined) return null;
  if (otherwise?.kind !== "constant" || otherwise.value !== null) return null;
  if (condition?.kind !== "call" || condition.fn !== "is present") return null;
  const [needed] = condition.args;
  const terms = needed?.kind === "input" ? productTerms(value) : null;
  return terms && { factors: terms.factors, needed: [...terms.needed, needed as TypedInput] };
}

/** Null: it is derived, encoded, or of another kind or scale here. */
function storedInts(
  { decimals }: TypedInput,
  { name }: BoundColumn,
  segment: SegmentView,
): IntColumn | null {
  const column = segment.columns.get(name);
  if (column?.kind !== "int" || "derived" in column) return null;
  return column.encoded === null && column.decimals === decimals ? column : null;
}
