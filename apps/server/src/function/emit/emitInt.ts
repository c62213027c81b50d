import type { Rounding } from "../../base/number/roundScaled.js";
import { type CallTerm, divisionFactor } from "../bind/boundTerm.js";
import { decimalsOf, isSure, mayBeMinusOne, mayBeZero } from "../bind/termConclusions.js";
import { int64Min } from "../term/cell.js";
import { allOf } from "./emittedFlags.js";
import type { EmittedTerm } from "./emittedTerm.js";
import type { SharedCode } from "./sharedCode.js";
import type { WasmFunction } from "./wasmBytes.js";

/** a · b / divisor, of two locals. */
interface Product {
  readonly a: number;
  readonly b: number;
  readonly divisor: bigint;
}

/** Writes the arithmetic of integers, which looks for overflow where a term is checked. */
export class IntEmitter {
  readonly #fn: WasmFunction;
  readonly #shared: SharedCode;

  constructor(fn: WasmFunction, shared: SharedCode) {
    this.#fn = fn;
    this.#shared = shared;
  }

  /** `result` is a new local, present and overflown where the arguments are; extremes are present where one argument is. */
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
        return this.#multiply(term, { a, b, divisor: 10n ** BigInt(dropped) }, result);
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

  #multiply(term: CallTerm, { a, b, divisor }: Product, result: EmittedTerm): EmittedTerm {
    const fn = this.#fn;
    const shared = this.#shared;
    if (term.checked) {
      if (divisor === 1n) fn.get(a, b).call(shared.indexOf("multiply"));
      else fn.get(a, b).i64(divisor).call(shared.indexOf("multiplyDivide"));
      fn.set(result.value);
      return this.#overflowIfReported(result);
    }
    fn.get(a, b).op("i64.mul");
    if (divisor !== 1n) fn.i64(divisor).op("i64.div_s");
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
      return this.#overflowIfReported(divided);
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
    return this.#multiply(term, { a, b: by, divisor: 1n }, result);
  }

  /** The quotient, plus or minus one by the remainder; `digits` is at least one. */
  #round(which: Rounding, digits: number, a: number, result: EmittedTerm): EmittedTerm {
    const fn = this.#fn;
    const { value } = result;
    const step = 10n ** BigInt(digits);
    // Half a step is a whole number: from there on the next multiple is at least as near.
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
      // The best so far is kept where it is present and better, or the other one is missing.
      if (present !== null) fn.get(present).op("i32.and");
      if (arg.present !== null) fn.get(arg.present).op("i32.eqz", "i32.or");
      fn.op("select").set(value);
      present = this.#either(present, arg.present);
    }
    return { ...result, present };
  }

  /** 1 where one of both is present; null: always. */
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
  #overflowIfReported(result: EmittedTerm): EmittedTerm {
    this.#fn.getGlobal().i32(0).setGlobal();
    return this.#overflowIf(result);
  }

  /** 1 on the stack: the result has overflown, if it is present. */
  #overflowIf(result: EmittedTerm): EmittedTerm {
    const fn = this.#fn;
    const overflown = fn.local("i32");
    if (result.present !== null) fn.get(result.present).op("i32.and");
    if (result.overflown !== null) fn.get(result.overflown).op("i32.or");
    fn.set(overflown);
    return { ...result, overflown };
  }
}
