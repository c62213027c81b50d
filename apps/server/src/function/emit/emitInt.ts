import type { Rounding } from "../../base/number/roundScaled.js";
import { type CallTerm, divisionFactor } from "../bind/boundTerm.js";
import { decimalsOf, isSure, mayBeMinusOne, mayBeZero } from "../bind/termConclusions.js";
import { int64Min } from "../term/cell.js";
import { allOf } from "./emittedFlags.js";
import type { EmittedTerm } from "./emittedTerm.js";
import type { SharedCode } from "./sharedCode.js";
import type { WasmFunction } from "./wasmBytes.js";

/** Writes the arithmetic of integers, which looks for overflow where a term is checked. */
export class IntEmitter {
  readonly #fn: WasmFunction;
  readonly #shared: SharedCode;

  constructor(fn: WasmFunction, shared: SharedCode) {
    this.#fn = fn;
    this.#shared = shared;
  }

  /** `result` is a fresh local, there and overflown where the arguments are; extremes are there where one of them is. */
  emit(term: CallTerm, args: readonly EmittedTerm[], result: EmittedTerm): EmittedTerm {
    const fn = this.#fn;
    const [left, right] = args as [EmittedTerm, EmittedTerm];
    const [a, b] = [left.value, right?.value ?? 0];
    const { value } = result;
    switch (term.fn) {
      case "+":
        fn.get(a, b).op("i64.add").set(value);
        if (!term.checked) return result;
        fn.get(a, value).op("i64.xor").get(b, value).op("i64.xor", "i64.and");
        return this.#overflowIfNegative(result);
      case "-":
        fn.get(a, b).op("i64.sub").set(value);
        if (!term.checked) return result;
        fn.get(a, b).op("i64.xor").get(a, value).op("i64.xor", "i64.and");
        return this.#overflowIfNegative(result);
      case "negate":
      case "abs":
        fn.i64(0n).get(a).op("i64.sub");
        if (term.fn === "abs") fn.get(a, a).i64(0n).op("i64.lt_s", "select");
        fn.set(value);
        if (!term.checked) return result;
        fn.get(a).i64(int64Min).op("i64.eq");
        return this.#overflowIf(result);
      case "*": {
        const dropped = decimalsOf(term.args) - term.decimals;
        return this.#multiply(a, b, 10n ** BigInt(dropped), term.checked, result);
      }
      case "/":
        return this.#divide(term, args, result);
      case "%":
        return this.#remainder(term, args, result);
      case "least":
      case "greatest":
        return this.#extreme(term.fn, args, result);
      case "floor":
      case "ceil":
      case "round":
        return this.#round(term.fn, term.args[0]!.decimals - term.decimals, a, result);
      case "rescale":
      case "to_int":
        return this.#rescale(term, a, result);
      default:
        throw new Error(`${term.fn} has no code`);
    }
  }

  #multiply(
    a: number,
    b: number,
    dropped: bigint,
    checked: boolean,
    result: EmittedTerm,
  ): EmittedTerm {
    const fn = this.#fn;
    const shared = this.#shared;
    if (checked) {
      if (dropped === 1n) fn.get(a, b).call(shared.indexOf("multiply"));
      else fn.get(a, b).i64(dropped).call(shared.indexOf("multiplyDivide"));
      fn.set(result.value);
      return this.#overflowIfTold(result);
    }
    fn.get(a, b).op("i64.mul");
    if (dropped !== 1n) fn.i64(dropped).op("i64.div_s");
    fn.set(result.value);
    return result;
  }

  #divide(term: CallTerm, args: readonly EmittedTerm[], result: EmittedTerm): EmittedTerm {
    const fn = this.#fn;
    const shared = this.#shared;
    const [a, b] = args.map(({ value }) => value) as [number, number];
    const { divisor, divided } = this.#divisor(term, b, result);
    const factor = divisionFactor(term.args, term.decimals);
    // A missing value may be the smallest integer, which -1 does not divide.
    if (term.checked || (!isSure(term.args[0]!) && mayBeMinusOne(term.args[1]!))) {
      fn.get(a).i64(factor).get(divisor).call(shared.indexOf("multiplyDivide")).set(result.value);
      return this.#overflowIfTold(divided);
    }
    fn.get(a);
    if (factor !== 1n) fn.i64(factor).op("i64.mul");
    fn.get(divisor).op("i64.div_s").set(result.value);
    return divided;
  }

  #remainder(term: CallTerm, args: readonly EmittedTerm[], result: EmittedTerm): EmittedTerm {
    const [a, b] = args.map(({ value }) => value) as [number, number];
    const { divisor, divided } = this.#divisor(term, b, result);
    this.#fn.get(a, divisor).op("i64.rem_s").set(result.value);
    return divided;
  }

  /** The divisor with 1 for 0, and the result as missing there. */
  #divisor(
    term: CallTerm,
    b: number,
    result: EmittedTerm,
  ): { readonly divisor: number; readonly divided: EmittedTerm } {
    const by = term.args[1]!;
    if (!mayBeZero(by)) return { divisor: b, divided: result };
    const fn = this.#fn;
    const divisor = fn.local("i64");
    const isDivided = fn.local("i32");
    fn.get(b).op("i64.eqz", "i32.eqz").set(isDivided);
    fn.get(b).i64(1n).get(isDivided).op("select").set(divisor);
    const present = allOf(fn, [result.present, isDivided]);
    return { divisor, divided: { ...result, present } };
  }

  #rescale(term: CallTerm, a: number, result: EmittedTerm): EmittedTerm {
    const fn = this.#fn;
    const shift = term.decimals - term.args[0]!.decimals;
    const factor = 10n ** BigInt(Math.abs(shift));
    if (shift < 0) {
      fn.get(a).i64(factor).op("i64.div_s").set(result.value);
      return result;
    }
    const by = fn.local("i64");
    fn.i64(factor).set(by);
    return this.#multiply(a, by, 1n, term.checked, result);
  }

  /** The quotient, and one more or less where what is left says so; `digits` are one at least. */
  #round(which: Rounding, digits: number, a: number, result: EmittedTerm): EmittedTerm {
    const fn = this.#fn;
    const { value } = result;
    const step = 10n ** BigInt(digits);
    // Half a step is whole: a rest from there on is at least as near to the next one.
    const half = step / 2n;
    const rest = fn.local("i64");
    fn.get(a).i64(step).op("i64.rem_s").set(rest);
    fn.get(a).i64(step).op("i64.div_s").set(value);
    if (which !== "floor") {
      const [least, compare] =
        which === "ceil" ? [0n, "i64.gt_s" as const] : [half, "i64.ge_s" as const];
      fn.get(value).get(rest).i64(least).op(compare, "i64.extend_i32_u", "i64.add").set(value);
    }
    if (which !== "ceil") {
      const [most, compare] =
        which === "floor" ? [0n, "i64.lt_s" as const] : [-half, "i64.le_s" as const];
      fn.get(value).get(rest).i64(most).op(compare, "i64.extend_i32_u", "i64.sub").set(value);
    }
    return result;
  }

  #extreme(
    which: "least" | "greatest",
    args: readonly EmittedTerm[],
    result: EmittedTerm,
  ): EmittedTerm {
    const fn = this.#fn;
    const { value } = result;
    const compare = which === "least" ? "i64.lt_s" : "i64.gt_s";
    const [first, ...others] = args as readonly [EmittedTerm, ...EmittedTerm[]];
    fn.get(first.value).set(value);
    let { present } = first;
    for (const arg of others) {
      fn.get(value, arg.value, value, arg.value).op(compare);
      // The best so far stays where it is there and better, or the other one is missing.
      if (present !== null) fn.get(present).op("i32.and");
      if (arg.present !== null) fn.get(arg.present).op("i32.eqz", "i32.or");
      fn.op("select").set(value);
      present = this.#either(present, arg.present);
    }
    return { ...result, present };
  }

  /** 1 where one of both is there; null: that is always so. */
  #either(a: number | null, b: number | null): number | null {
    if (a === null || b === null) return null;
    const either = this.#fn.local("i32");
    this.#fn.get(a, b).op("i32.or").set(either);
    return either;
  }

  /** The number on the stack is below 0: the result has overflown. */
  #overflowIfNegative(result: EmittedTerm): EmittedTerm {
    this.#fn.i64(0n).op("i64.lt_s");
    return this.#overflowIf(result);
  }

  /** A shared function may have reported an overflow. */
  #overflowIfTold(result: EmittedTerm): EmittedTerm {
    this.#fn.getGlobal().i32(0).setGlobal();
    return this.#overflowIf(result);
  }

  /** 1 on the stack: the result has overflown, if it is there at all. */
  #overflowIf(result: EmittedTerm): EmittedTerm {
    const fn = this.#fn;
    const overflown = fn.local("i32");
    if (result.present !== null) fn.get(result.present).op("i32.and");
    if (result.overflown !== null) fn.get(result.overflown).op("i32.or");
    fn.set(overflown);
    return { ...result, overflown };
  }
}
