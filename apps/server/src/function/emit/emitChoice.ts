import type { BoundTerm, CallTerm } from "../bind/boundTerm.js";
import { isSelected } from "../bind/termConclusions.js";
import { emitComparison } from "./emitComparison.js";
import { anyOf } from "./emittedFlags.js";
import { type EmittedTerm, wasmTypeOf } from "./emittedTerm.js";
import type { SharedCode } from "./sharedCode.js";
import type { WasmFunction } from "./wasmBytes.js";

/** Writes the choices between values: only what is chosen is computed, so each argument is emitted in its place. */
export class ChoiceEmitter {
  readonly #fn: WasmFunction;
  readonly #shared: SharedCode;
  readonly #emitTerm: (term: BoundTerm) => EmittedTerm;

  constructor(fn: WasmFunction, shared: SharedCode, emitTerm: (term: BoundTerm) => EmittedTerm) {
    this.#fn = fn;
    this.#shared = shared;
    this.#emitTerm = emitTerm;
  }

  case(term: CallTerm): EmittedTerm {
    if (isSelected(term)) return this.#selected(term);
    const result = this.#result(term);
    this.#clear(result);
    this.#branches(term.args, 0, result);
    return result;
  }

  /** Both values are computed, and no branch is guessed wrong. */
  #selected(term: CallTerm): EmittedTerm {
    const fn = this.#fn;
    const [condition, yes, no] = term.args.map((arg) => this.#emitTerm(arg)) as [
      EmittedTerm,
      EmittedTerm,
      EmittedTerm,
    ];
    const value = fn.local(wasmTypeOf(term.type));
    fn.get(yes.value, no.value, condition.value);
    if (condition.present !== null) fn.get(condition.present).op("i32.and");
    fn.op("select").set(value);
    return { value, present: null, overflown: null };
  }

  /** From the pair at `index` on. */
  #branches(args: readonly BoundTerm[], index: number, result: EmittedTerm): void {
    const fn = this.#fn;
    if (index === args.length - 1) {
      this.#assign(result, this.#emitTerm(args[index]!));
      return;
    }
    const condition = this.#emitTerm(args[index]!);
    const isGuarded = condition.overflown !== null && result.overflown !== null;
    if (isGuarded) {
      fn.get(condition.overflown!).if().i32(1).set(result.overflown!).op("else");
    }
    fn.get(condition.value);
    if (condition.present !== null) fn.get(condition.present).op("i32.and");
    fn.if();
    this.#assign(result, this.#emitTerm(args[index + 1]!));
    fn.op("else");
    this.#branches(args, index + 2, result);
    fn.op("end");
    if (isGuarded) fn.op("end");
  }

  coalesce(term: CallTerm): EmittedTerm {
    const result = this.#result(term);
    this.#clear(result);
    this.#firstOf(term.args, 0, result);
    return result;
  }

  #firstOf(args: readonly BoundTerm[], index: number, result: EmittedTerm): void {
    const fn = this.#fn;
    const arg = this.#emitTerm(args[index]!);
    if (arg.present === null || index === args.length - 1) {
      this.#assign(result, arg);
      return;
    }
    fn.get(arg.present);
    if (arg.overflown !== null) fn.get(arg.overflown).op("i32.or");
    fn.if();
    this.#assign(result, arg);
    fn.op("else");
    this.#firstOf(args, index + 1, result);
    fn.op("end");
  }

  nullif(term: CallTerm): EmittedTerm {
    const fn = this.#fn;
    const [left, right] = term.args.map((arg) => this.#emitTerm(arg)) as [EmittedTerm, EmittedTerm];
    const present = fn.local("i32");
    emitComparison(fn, this.#shared, { ...term, fn: "=" }, [left, right]);
    fn.op("i32.eqz");
    // A missing right side equals nothing.
    if (right.present !== null) fn.get(right.present).op("i32.eqz", "i32.or");
    if (left.present !== null) fn.get(left.present).op("i32.and");
    fn.set(present);
    const overflown = anyOf(fn, [left.overflown, right.overflown]);
    return { value: left.value, present, overflown };
  }

  #result(term: CallTerm): EmittedTerm {
    return {
      value: this.#fn.local(wasmTypeOf(term.type)),
      present: term.mayMiss || term.mayOverflow ? this.#fn.local("i32") : null,
      overflown: term.mayOverflow ? this.#fn.local("i32") : null,
    };
  }

  /** Locals keep what the row before left in them. */
  #clear({ present, overflown }: EmittedTerm): void {
    if (present !== null) this.#fn.i32(0).set(present);
    if (overflown !== null) this.#fn.i32(0).set(overflown);
  }

  #assign(to: EmittedTerm, from: EmittedTerm): void {
    const fn = this.#fn;
    fn.get(from.value).set(to.value);
    if (to.present !== null) {
      if (from.present === null) fn.i32(1);
      else fn.get(from.present);
      fn.set(to.present);
    }
    if (to.overflown !== null) {
      if (from.overflown === null) fn.i32(0);
      else fn.get(from.overflown);
      fn.set(to.overflown);
    }
  }
}
