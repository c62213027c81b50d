import type { BoundTerm, CallTerm } from "../bind/boundTerm.js";
import { comparesAtOneScale } from "../bind/termConclusions.js";
import type { EmittedTerm } from "./emittedTerm.js";
import type { SharedCode } from "./sharedCode.js";
import type { PlainOp, WasmFunction } from "./wasmBytes.js";

export type Comparison = keyof typeof comparisons64;

const comparisons64 = {
  "=": "i64.eq",
  "!=": "i64.ne",
  "<": "i64.lt_s",
  "<=": "i64.le_s",
  ">": "i64.gt_s",
  ">=": "i64.ge_s",
} as const satisfies Record<string, PlainOp>;

const comparisons32 = {
  "=": "i32.eq",
  "!=": "i32.ne",
  "<": "i32.lt_s",
  "<=": "i32.le_s",
  ">": "i32.gt_s",
  ">=": "i32.ge_s",
} as const satisfies Record<Comparison, PlainOp>;

/** Code that leaves 0 or 1 on the stack. Integers of two scales are compared exactly; codes are only equal or not. */
export function emitComparison(
  fn: WasmFunction,
  shared: SharedCode,
  term: CallTerm & { readonly fn: Comparison },
  args: readonly EmittedTerm[],
): void {
  const op = term.fn;
  const [left, right] = term.args as [BoundTerm, BoundTerm];
  const [a, b] = args.map(({ value }) => value) as [number, number];
  if (left.type !== "int") {
    fn.get(a, b).op(op === "=" ? "i32.eq" : "i32.ne");
    return;
  }
  const shift = right.decimals - left.decimals;
  if (shift === 0) {
    fn.get(a, b).op(comparisons64[op]);
    return;
  }
  const factor = 10n ** BigInt(Math.abs(shift));
  if (comparesAtOneScale(left, right)) {
    fn.get(a);
    if (shift > 0) fn.i64(factor).op("i64.mul");
    fn.get(b);
    if (shift < 0) fn.i64(factor).op("i64.mul");
    fn.op(comparisons64[op]);
    return;
  }
  const [first, second] = shift > 0 ? [a, b] : [b, a];
  fn.get(first, second).i64(factor).call(shared.indexOf("compareScaled"));
  if (shift < 0) {
    const order = fn.local("i32");
    fn.set(order).i32(0).get(order).op("i32.sub");
  }
  fn.i32(0).op(comparisons32[op]);
}
