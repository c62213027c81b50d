import type { CallTerm } from "../bind/boundTerm.js";
import type { JsFn } from "../term/typedExpression.js";
import type { EmittedTerm } from "./emittedTerm.js";
import { importIndex } from "./moduleImports.js";
import type { PlainOp, WasmFunction } from "./wasmBytes.js";

/** Doubles hold every whole number up to here. */
const wholeMax = 2 ** 53;
/** Below it, a product with a power of ten shows which digits a double has. */
const exactMax = 1e15;
const two63 = 2 ** 63;

/** Code of an operator of JavaScript. `overflown`: of the arguments; of these only what is stored overflows by itself. */
export function emitNumber(
  fn: WasmFunction,
  term: CallTerm & { readonly fn: JsFn },
  args: readonly EmittedTerm[],
  overflown: number | null,
): EmittedTerm {
  const [a, b] = args as [EmittedTerm, EmittedTerm];
  const number = (): EmittedTerm => ({ value: fn.local("f64"), present: null, overflown });
  const truth = (): EmittedTerm => ({ value: fn.local("i32"), present: null, overflown });
  switch (term.fn) {
    case "js number": {
      const value = fn.local("f64");
      const factor = 10 ** term.args[0]!.decimals;
      fn.get(a.value).op("f64.convert_i64_s");
      if (factor !== 1) fn.f64(factor).op("f64.div");
      fn.set(value);
      return { value, present: a.present, overflown };
    }
    case "js of truth": {
      const result = number();
      fn.get(a.value).op("f64.convert_i32_u");
      orNaN(fn, a);
      fn.set(result.value);
      return result;
    }
    case "js =": {
      const result = truth();
      equal(fn, term, a, b);
      fn.set(result.value);
      return result;
    }
    case "js <":
    case "js <=":
    case "js >":
    case "js >=": {
      const result = truth();
      read(fn, a);
      read(fn, b);
      fn.op(comparisons[term.fn]).set(result.value);
      return result;
    }
    case "js truthy": {
      const result = truth();
      const local = toLocal(fn, a);
      // NaN is not even itself.
      fn.get(local).f64(0).op("f64.ne").get(local, local).op("f64.eq", "i32.and");
      fn.set(result.value);
      return result;
    }
    case "js store":
      return store(fn, term, toLocal(fn, a), overflown);
    default: {
      const result = number();
      operator(fn, term.fn, a, b);
      fn.set(result.value);
      return result;
    }
  }
}

const comparisons = {
  "js <": "f64.lt",
  "js <=": "f64.le",
  "js >": "f64.gt",
  "js >=": "f64.ge",
} as const satisfies Record<string, PlainOp>;

type Operator = Exclude<
  JsFn,
  "js number" | "js of truth" | "js =" | "js truthy" | "js store" | keyof typeof comparisons
>;

const plain = {
  "js +": "f64.add",
  "js -": "f64.sub",
  "js *": "f64.mul",
  "js /": "f64.div",
  "js min": "f64.min",
  "js max": "f64.max",
  "js negate": "f64.neg",
  "js abs": "f64.abs",
  "js floor": "f64.floor",
  "js ceil": "f64.ceil",
  "js trunc": "f64.trunc",
  "js sqrt": "f64.sqrt",
} as const satisfies Partial<Record<Operator, PlainOp>>;

const isBinary: ReadonlySet<Operator> = new Set([
  "js +",
  "js -",
  "js *",
  "js /",
  "js min",
  "js max",
]);

/** Leaves the result on the stack. */
function operator(fn: WasmFunction, name: Operator, a: EmittedTerm, b: EmittedTerm): void {
  if (name === "js %") remainder(fn, toLocal(fn, a), toLocal(fn, b));
  else if (name === "js round") round(fn, toLocal(fn, a));
  else if (name === "js pow") fn.get(toLocal(fn, a), toLocal(fn, b)).callImport(importIndex.power);
  else {
    read(fn, a);
    if (isBinary.has(name)) read(fn, b);
    fn.op(plain[name]);
  }
}

/** The number, NaN where it is missing. */
function read(fn: WasmFunction, term: EmittedTerm): void {
  fn.get(term.value);
  orNaN(fn, term);
}

function orNaN(fn: WasmFunction, { present }: EmittedTerm): void {
  if (present !== null) fn.f64(Number.NaN).get(present).op("select");
}

function toLocal(fn: WasmFunction, term: EmittedTerm): number {
  if (term.present === null) return term.value;
  const local = fn.local("f64");
  read(fn, term);
  fn.set(local);
  return local;
}

/** Both missing, or both there and the same. */
function equal(fn: WasmFunction, term: CallTerm, a: EmittedTerm, b: EmittedTerm): void {
  fn.get(a.value, b.value).op(term.args[0]!.type === "number" ? "f64.eq" : "i32.eq");
  const flags = [a.present, b.present];
  for (const flag of flags) if (flag !== null) fn.get(flag).op("i32.and");
  if (a.present === null || b.present === null) return;
  fn.get(a.present, b.present).op("i32.or", "i32.eqz", "i32.or");
}

/** Half up, to where floor leaves at least a half; a result of 0 has the sign of what it was made of. */
function round(fn: WasmFunction, a: number): void {
  const floor = fn.local("f64");
  fn.get(a).op("f64.floor").tee(floor).f64(1).op("f64.add");
  fn.get(floor).get(a, floor).op("f64.sub").f64(0.5).op("f64.ge", "select");
  fn.get(a).op("f64.copysign");
}

/** Of whole numbers above 0 and a whole divisor in integers; else as JavaScript has it. */
function remainder(fn: WasmFunction, a: number, b: number): void {
  const result = fn.local("f64");
  const [left, right] = [fn.local("i64"), fn.local("i64")];
  fn.get(a).truncate().tee(left).op("f64.convert_i64_s").get(a).op("f64.eq");
  fn.get(b).truncate().tee(right).op("f64.convert_i64_s").get(b).op("f64.eq", "i32.and");
  fn.get(a).f64(0).op("f64.gt", "i32.and").get(a).f64(wholeMax).op("f64.le", "i32.and");
  fn.get(b).op("f64.abs").f64(wholeMax).op("f64.le", "i32.and");
  fn.get(right).op("i64.eqz", "i32.eqz", "i32.and").if();
  fn.get(left, right).op("i64.rem_s", "f64.convert_i64_s").set(result);
  fn.op("else").get(a, b).callImport(importIndex.remainder).set(result).op("end");
  fn.get(result);
}

/**
 * The digits of a double cut off at the decimals, as scaledNumber has them: the nearest whole number of units, or one
 * less where that is more than the double. Where the product is too large to decide it, scaledNumber itself is asked.
 */
function store(
  fn: WasmFunction,
  { decimals, mayOverflow }: CallTerm,
  a: number,
  overflown: number | null,
): EmittedTerm {
  const stored = storeDigits(fn, decimals, a);
  if (!mayOverflow) return { ...stored, overflown };
  // Infinity and NaN are no values of a row; what is finite and not there is too large for one.
  const isLost = fn.local("i32");
  fn.get(stored.present).op("i32.eqz");
  fn.get(a).op("f64.abs").f64(Number.POSITIVE_INFINITY).op("f64.lt", "i32.and");
  if (overflown !== null) fn.get(overflown).op("i32.or");
  fn.set(isLost);
  return { ...stored, overflown: isLost };
}

function storeDigits(fn: WasmFunction, decimals: number, a: number) {
  const value = fn.local("i64");
  const present = fn.local("i32");
  if (decimals === 0) {
    const whole = fn.local("f64");
    fn.get(a).op("f64.trunc").tee(whole).truncate().set(value);
    fn.get(whole).f64(-two63).op("f64.ge").get(whole).f64(two63).op("f64.lt", "i32.and");
    fn.set(present);
    return { value, present };
  }
  const factor = 10 ** decimals;
  const [units, magnitude] = [fn.local("f64"), fn.local("f64")];
  fn.get(a).op("f64.abs").tee(magnitude).f64(factor).op("f64.mul").tee(units);
  fn.f64(exactMax).op("f64.lt").if();
  fn.get(units).op("f64.nearest").tee(units).f64(1).op("f64.sub").get(units);
  fn.get(units).f64(factor).op("f64.div").get(magnitude).op("f64.gt", "select");
  fn.get(a).op("f64.copysign").truncate().set(value).i32(1).set(present);
  fn.op("else");
  fn.get(a).i32(decimals).callImport(importIndex.scaled).set(value);
  fn.get(a).i32(decimals).callImport(importIndex.isScaled).set(present);
  fn.op("end");
  return { value, present };
}
