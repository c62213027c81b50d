import { int64Min } from "../term/cell.js";
import { WasmFunction } from "./wasmBytes.js";

/** Functions that the code of a row calls where plain instructions could overflow on the way. What does not fit sets the global. */
export const sharedFunctions = {
  /** a · b. */
  multiply: createMultiply,
  /** a · b / c, toward zero and exact on the way; c is not 0. */
  multiplyDivide: createMultiplyDivide,
  /** Order (-1, 0, 1) of a and b / factor. */
  compareScaled: createCompareScaled,
} as const;

export type SharedFunction = keyof typeof sharedFunctions;

function createMultiply(): WasmFunction {
  const fn = new WasmFunction(["i64", "i64"], "i64");
  const [a, b] = [0, 1];
  const product = fn.local("i64");
  fn.get(a, b).op("i64.mul").set(product);
  const fitsHalf = (local: number): WasmFunction =>
    fn
      .get(local)
      .i64(2n ** 31n)
      .op("i64.add")
      .i64(2n ** 32n)
      .op("i64.lt_u");
  fitsHalf(a);
  fitsHalf(b).op("i32.and");
  fn.get(a).op("i64.eqz", "i32.or").if().get(product).return().op("end");
  // The one quotient that does not exist.
  fn.get(a).i64(-1n).op("i64.eq").get(b).i64(int64Min).op("i64.eq", "i32.and").if();
  fn.i32(1).setGlobal().get(product).return().op("end");
  fn.get(a).i64(-1n).op("i64.ne").if();
  fn.get(product, a).op("i64.div_s").get(b).op("i64.ne").if().i32(1).setGlobal().op("end");
  return fn.op("end").get(product);
}

type Half = "low" | "high";

/**
 * The product of the magnitudes in 128 bits, by halves:
 *
 *   a · b = (ah · bh) 2^64 + (ah · bl + al · bh) 2^32 + al · bl
 *
 * then divided bit by bit where it needs more than 64.
 */
function createMultiplyDivide(): WasmFunction {
  const fn = new WasmFunction(["i64", "i64", "i64"], "i64");
  const [a, b, c] = [0, 1, 2];
  const [low, high, cross, quotient, rest] = Array.from({ length: 5 }, () => fn.local("i64")) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const negative = fn.local("i32");
  const bit = fn.local("i32");
  fn.get(a, b).op("i64.xor").get(c).op("i64.xor").i64(0n).op("i64.lt_s").set(negative);
  for (const local of [a, b, c]) {
    fn.get(local).i64(0n).op("i64.lt_s").if().i64(0n).get(local).op("i64.sub").set(local).op("end");
  }
  const half = (which: Half, local: number): WasmFunction =>
    which === "high"
      ? fn.get(local).i64(32n).op("i64.shr_u")
      : fn.get(local).i64(0xffff_ffffn).op("i64.and");
  const product = (halfOfA: Half, halfOfB: Half): WasmFunction => {
    half(halfOfA, a);
    return half(halfOfB, b).op("i64.mul");
  };
  // al · bl, and what of it and of each middle product belongs into the upper half; no sum here leaves 64 bits.
  product("low", "low").set(low);
  product("high", "low").get(low).i64(32n).op("i64.shr_u", "i64.add").set(cross);
  product("high", "high").get(cross).i64(32n).op("i64.shr_u", "i64.add").set(high);
  fn.get(cross).i64(0xffff_ffffn).op("i64.and").set(cross);
  product("low", "high").get(cross).op("i64.add").set(cross);
  fn.get(high, cross).i64(32n).op("i64.shr_u", "i64.add").set(high);
  fn.get(low).i64(0xffff_ffffn).op("i64.and");
  fn.get(cross).i64(32n).op("i64.shl", "i64.or").set(low);

  fn.get(high).op("i64.eqz").if();
  fn.get(low, c).op("i64.div_u").set(quotient);
  fn.op("else");
  // A quotient of more than 64 bits.
  fn.get(high, c).op("i64.ge_u").if().i32(1).setGlobal().i64(0n).return().op("end");
  fn.get(high).set(rest).i32(64).set(bit);
  fn.loop();
  fn.get(rest).i64(1n).op("i64.shl").get(low).i64(63n).op("i64.shr_u", "i64.or").set(rest);
  fn.get(low).i64(1n).op("i64.shl").set(low);
  fn.get(quotient).i64(1n).op("i64.shl").set(quotient);
  fn.get(rest, c).op("i64.ge_u").if();
  fn.get(rest, c).op("i64.sub").set(rest).get(quotient).i64(1n).op("i64.or").set(quotient);
  fn.op("end");
  fn.get(bit).i32(1).op("i32.sub").tee(bit).branchIf(0).op("end");
  fn.op("end");

  fn.get(quotient)
    .i64(2n ** 63n - 1n)
    .get(negative)
    .op("i64.extend_i32_u", "i64.add");
  fn.op("i64.gt_u").if().i32(1).setGlobal().op("end");
  return fn.i64(0n).get(quotient).op("i64.sub").get(quotient).get(negative).op("select");
}

/** a against b / factor: against its floor first, then a rest decides. */
function createCompareScaled(): WasmFunction {
  const fn = new WasmFunction(["i64", "i64", "i64"], "i32");
  const [a, b, factor] = [0, 1, 2];
  const quotient = fn.local("i64");
  const rest = fn.local("i64");
  fn.get(b, factor).op("i64.div_s").set(quotient);
  fn.get(b, quotient, factor).op("i64.mul", "i64.sub").tee(rest).i64(0n).op("i64.lt_s").if();
  fn.get(quotient).i64(1n).op("i64.sub").set(quotient).i64(1n).set(rest).op("end");
  fn.get(a, quotient).op("i64.gt_s");
  fn.get(a, quotient).op("i64.lt_s");
  fn.get(a, quotient).op("i64.eq").get(rest).i64(0n).op("i64.ne", "i32.and", "i32.or");
  return fn.op("i32.sub");
}
