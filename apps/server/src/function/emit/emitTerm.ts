import type { BoundTerm, CallTerm, ConstantTerm } from "../bind/boundTerm.js";
import { type JsFn, jsFns } from "../term/typedExpression.js";
import { ChoiceEmitter } from "./emitChoice.js";
import { type Comparison, emitComparison } from "./emitComparison.js";
import { IntEmitter } from "./emitInt.js";
import { emitNumber } from "./emitNumber.js";
import { emitLogic, emitPresence } from "./emitTruth.js";
import { allOf, anyOf } from "./emittedFlags.js";
import { type EmittedTerm, wasmTypeOf } from "./emittedTerm.js";
import { SharedCode } from "./sharedCode.js";
import type { WasmFunction } from "./wasmBytes.js";

/** Writes the code of terms, one after the other, into a function. */
export class TermEmitter {
  readonly #fn: WasmFunction;
  /** The slots' values of the current row. */
  readonly #slots: readonly EmittedTerm[];
  readonly #shared = new SharedCode();
  readonly #choice: ChoiceEmitter;
  readonly #ints: IntEmitter;

  constructor(fn: WasmFunction, slots: readonly EmittedTerm[]) {
    this.#fn = fn;
    this.#slots = slots;
    this.#choice = new ChoiceEmitter(fn, this.#shared, (term) => this.emit(term));
    this.#ints = new IntEmitter(fn, this.#shared);
  }

  /** Functions that the code calls, in the order of their indexes. */
  get sharedFunctions(): readonly WasmFunction[] {
    return this.#shared.functions;
  }

  emit(term: BoundTerm): EmittedTerm {
    switch (term.kind) {
      case "slot":
        return this.#slots[term.slot]!;
      case "constant":
        return this.#constant(term);
      case "call":
        return this.#call(term);
    }
  }

  #constant({ type, value }: ConstantTerm): EmittedTerm {
    const local = this.#fn.local(wasmTypeOf(type));
    if (type === "int") this.#fn.i64(BigInt(value ?? 0)).set(local);
    else if (type === "number") this.#fn.f64(Number(value ?? 0)).set(local);
    else this.#fn.i32(Number(value ?? 0n)).set(local);
    if (value !== null) return { value: local, present: null, overflown: null };
    const present = this.#fn.local("i32");
    this.#fn.i32(0).set(present);
    return { value: local, present, overflown: null };
  }

  #call(term: CallTerm): EmittedTerm {
    switch (term.fn) {
      case "case":
        return this.#choice.case(term);
      case "coalesce":
        return this.#choice.coalesce(term);
      case "nullif":
        return this.#choice.nullif(term);
      default:
        return this.#computed(
          term,
          term.args.map((arg) => this.emit(arg)),
        );
    }
  }

  /** All arguments are computed, whatever they are. */
  #computed(term: CallTerm, args: readonly EmittedTerm[]): EmittedTerm {
    switch (term.fn) {
      case "and":
      case "or":
        return emitLogic(this.#fn, term.fn, args);
      case "is missing":
      case "is present":
        return emitPresence(this.#fn, term.fn, args[0]!);
      default:
        return this.#strict(term, args);
    }
  }

  /** Missing where one of the arguments is. */
  #strict(term: CallTerm, args: readonly EmittedTerm[]): EmittedTerm {
    const fn = this.#fn;
    const present = allOf(
      fn,
      args.map((arg) => arg.present),
    );
    const overflown = anyOf(
      fn,
      args.map((arg) => arg.overflown),
    );
    const result = { value: fn.local(wasmTypeOf(term.type)), present, overflown };
    if (isJs(term)) return emitNumber(fn, term, args, overflown);
    if (isComparison(term)) {
      emitComparison(fn, this.#shared, term, args);
      fn.set(result.value);
      return result;
    }
    if (term.fn === "not") {
      fn.get(args[0]!.value).op("i32.eqz").set(result.value);
      return result;
    }
    if (term.fn === "to_string") {
      this.#truthText(term, args[0]!, result.value);
      return result;
    }
    return this.#ints.emit(term, args, result);
  }

  /** Codes of the strings "true" and "false" are the second and third argument. */
  #truthText(term: CallTerm, condition: EmittedTerm, value: number): void {
    const [, yes, no] = term.args as readonly ConstantTerm[];
    this.#fn.i32(Number(yes!.value)).i32(Number(no!.value));
    this.#fn.get(condition.value).op("select").set(value);
  }
}

const jsNames: ReadonlySet<string> = new Set(jsFns);

const isJs = (term: CallTerm): term is CallTerm & { readonly fn: JsFn } => jsNames.has(term.fn);

const comparisonNames: ReadonlySet<string> = new Set<Comparison>(["=", "!=", "<", "<=", ">", ">="]);

const isComparison = (term: CallTerm): term is CallTerm & { readonly fn: Comparison } =>
  comparisonNames.has(term.fn);
