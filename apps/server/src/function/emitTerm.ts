import { type JsFn, jsFns } from "../plan/typedExpression.js";
import type { BoundTerm, CallTerm, ConstantTerm, EmittedType } from "./boundTerm.js";
import { int64Min } from "./cell.js";
import { emitNumber } from "./emitNumber.js";
import type { EmittedTerm } from "./emittedTerm.js";
import {
  comparesAtOneScale,
  decimalsOf,
  isSelected,
  isSure,
  mayBeMinusOne,
  mayBeZero,
} from "./termConclusions.js";
import type { PlainOp, WasmFunction, WasmType } from "./wasmBytes.js";
import { type SharedFunction, sharedFunctions } from "./wasmHelpers.js";

const wasmTypeOf = (type: EmittedType): WasmType =>
  type === "int" ? "i64" : type === "number" ? "f64" : "i32";

/** Writes the code of terms, one after the other, into a function. */
export class TermEmitter {
  readonly #shared = new Map<SharedFunction, { index: number; fn: WasmFunction }>();

  constructor(
    readonly fn: WasmFunction,
    /** The slots' values of the current row. */
    private readonly slots: readonly EmittedTerm[],
  ) {}

  /** Functions that the code calls, in the order of their indexes. */
  get sharedFunctions(): readonly WasmFunction[] {
    return [...this.#shared.values()].map(({ fn }) => fn);
  }

  emit(term: BoundTerm): EmittedTerm {
    switch (term.kind) {
      case "slot":
        return this.slots[term.slot]!;
      case "constant":
        return this.#constant(term);
      case "call":
        return this.#call(term);
    }
  }

  #constant({ type, value }: ConstantTerm): EmittedTerm {
    const local = this.fn.local(wasmTypeOf(type));
    if (type === "int") this.fn.i64(BigInt(value ?? 0)).set(local);
    else if (type === "number") this.fn.f64(Number(value ?? 0)).set(local);
    else this.fn.i32(Number(value ?? 0n)).set(local);
    if (value !== null) return { value: local, present: null, overflown: null };
    const present = this.fn.local("i32");
    this.fn.i32(0).set(present);
    return { value: local, present, overflown: null };
  }

  #call(term: CallTerm): EmittedTerm {
    switch (term.fn) {
      case "case":
        return this.#case(term);
      case "coalesce":
        return this.#coalesce(term);
      case "and":
      case "or":
        return this.#combine(term, term.fn === "and");
      case "is missing":
      case "is present":
        return this.#presence(term, term.fn === "is missing");
      case "nullif":
        return this.#nullif(term);
    }
    const args = term.args.map((arg) => this.emit(arg));
    const present = this.#all(args.map((arg) => arg.present));
    const overflown = this.#any(args.map((arg) => arg.overflown));
    const result: Strict = { value: this.fn.local(wasmTypeOf(term.type)), present, overflown };
    switch (term.fn) {
      case "=":
      case "!=":
      case "<":
      case "<=":
      case ">":
      case ">=":
        this.#compare(term.fn, term, args);
        this.fn.set(result.value);
        return result;
      case "not":
        this.fn.get(args[0]!.value).op("i32.eqz").set(result.value);
        return result;
      case "least":
      case "greatest":
        this.#extreme(term.fn, args, result.value);
        return result;
      case "to_string":
        return this.#choice(args[0]!, term, result);
      default:
        return isJs(term)
          ? emitNumber(this.fn, term, args, overflown)
          : this.#arithmetic(term, args, result);
    }
  }

  /** Codes of the strings "true" and "false" are the second and third argument. */
  #choice(condition: EmittedTerm, term: CallTerm, result: Strict): EmittedTerm {
    const [, yes, no] = term.args as readonly ConstantTerm[];
    this.fn.i32(Number(yes!.value)).i32(Number(no!.value));
    this.fn.get(condition.value).op("select").set(result.value);
    return result;
  }

  #arithmetic(term: CallTerm, args: readonly EmittedTerm[], result: Strict): EmittedTerm {
    const { fn } = this;
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
      case "rescale":
      case "to_int":
        return this.#rescale(term, a, result);
      default:
        throw new Error(`${term.fn} has no code`);
    }
  }

  #multiply(a: number, b: number, dropped: bigint, checked: boolean, result: Strict): EmittedTerm {
    const { fn } = this;
    if (checked) {
      if (dropped === 1n) fn.get(a, b).call(this.#indexOf("multiply"));
      else fn.get(a, b).i64(dropped).call(this.#indexOf("multiplyDivide"));
      fn.set(result.value);
      return this.#overflowIfTold(result);
    }
    fn.get(a, b).op("i64.mul");
    if (dropped !== 1n) fn.i64(dropped).op("i64.div_s");
    fn.set(result.value);
    return result;
  }

  #divide(term: CallTerm, args: readonly EmittedTerm[], result: Strict): EmittedTerm {
    const { fn } = this;
    const [a, b] = args.map(({ value }) => value) as [number, number];
    const { divisor, divided } = this.#divisor(term, b, result);
    const factor = 10n ** BigInt(term.args[1]!.decimals);
    // A missing value may be the smallest integer, which -1 does not divide.
    if (term.checked || (!isSure(term.args[0]!) && mayBeMinusOne(term.args[1]!))) {
      fn.get(a).i64(factor).get(divisor).call(this.#indexOf("multiplyDivide")).set(result.value);
      return this.#overflowIfTold(divided);
    }
    fn.get(a);
    if (factor !== 1n) fn.i64(factor).op("i64.mul");
    fn.get(divisor).op("i64.div_s").set(result.value);
    return divided;
  }

  #remainder(term: CallTerm, args: readonly EmittedTerm[], result: Strict): EmittedTerm {
    const [a, b] = args.map(({ value }) => value) as [number, number];
    const { divisor, divided } = this.#divisor(term, b, result);
    this.fn.get(a, divisor).op("i64.rem_s").set(result.value);
    return divided;
  }

  /** The divisor with 1 for 0, and the result as missing there. */
  #divisor(
    term: CallTerm,
    b: number,
    result: Strict,
  ): { readonly divisor: number; readonly divided: Strict } {
    const by = term.args[1]!;
    if (!mayBeZero(by)) return { divisor: b, divided: result };
    const { fn } = this;
    const divisor = fn.local("i64");
    const isDivided = fn.local("i32");
    fn.get(b).op("i64.eqz", "i32.eqz").set(isDivided);
    fn.get(b).i64(1n).get(isDivided).op("select").set(divisor);
    const present = this.#all([result.present, isDivided]);
    return { divisor, divided: { ...result, present } };
  }

  #rescale(term: CallTerm, a: number, result: Strict): EmittedTerm {
    const { fn } = this;
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

  #extreme(which: "least" | "greatest", args: readonly EmittedTerm[], value: number): void {
    const { fn } = this;
    fn.get(args[0]!.value).set(value);
    for (const arg of args.slice(1)) {
      fn.get(value, arg.value, value, arg.value);
      fn.op(which === "least" ? "i64.lt_s" : "i64.gt_s", "select").set(value);
    }
  }

  /** Leaves 0 or 1 on the stack. */
  #compare(op: Comparison, term: CallTerm, args: readonly EmittedTerm[]): void {
    const { fn } = this;
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
    fn.get(first, second).i64(factor).call(this.#indexOf("compareScaled"));
    if (shift < 0) {
      const order = fn.local("i32");
      fn.set(order).i32(0).get(order).op("i32.sub");
    }
    fn.i32(0).op(comparisons32[op]);
  }

  #case(term: CallTerm): EmittedTerm {
    if (isSelected(term)) return this.#selected(term);
    const result = this.#result(term);
    this.#clear(result);
    this.#branches(term.args, 0, result);
    return result;
  }

  /** Both values are computed, and no branch is guessed wrong. */
  #selected(term: CallTerm): EmittedTerm {
    const { fn } = this;
    const [condition, yes, no] = term.args.map((arg) => this.emit(arg)) as [
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
  #branches(args: readonly BoundTerm[], index: number, result: Result): void {
    const { fn } = this;
    if (index === args.length - 1) {
      this.#assign(result, this.emit(args[index]!));
      return;
    }
    const condition = this.emit(args[index]!);
    const isGuarded = condition.overflown !== null && result.overflown !== null;
    if (isGuarded) {
      fn.get(condition.overflown!).if().i32(1).set(result.overflown!).op("else");
    }
    fn.get(condition.value);
    if (condition.present !== null) fn.get(condition.present).op("i32.and");
    fn.if();
    this.#assign(result, this.emit(args[index + 1]!));
    fn.op("else");
    this.#branches(args, index + 2, result);
    fn.op("end");
    if (isGuarded) fn.op("end");
  }

  #coalesce(term: CallTerm): EmittedTerm {
    const result = this.#result(term);
    this.#clear(result);
    this.#firstOf(term.args, 0, result);
    return result;
  }

  #firstOf(args: readonly BoundTerm[], index: number, result: Result): void {
    const { fn } = this;
    const arg = this.emit(args[index]!);
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

  /** Kleene: one false decides an "and" and one true an "or", whatever the others are. */
  #combine(term: CallTerm, isAnd: boolean): EmittedTerm {
    const { fn } = this;
    const args = term.args.map((arg) => this.emit(arg));
    const decided = fn.local("i32");
    fn.i32(0);
    for (const { value, present, overflown } of args) {
      fn.get(value);
      if (isAnd) fn.op("i32.eqz");
      if (present !== null) fn.get(present).op("i32.and");
      if (overflown !== null) fn.get(overflown).op("i32.eqz", "i32.and");
      fn.op("i32.or");
    }
    fn.set(decided);
    const value = fn.local("i32");
    fn.get(decided);
    if (isAnd) fn.op("i32.eqz");
    fn.set(value);
    const unlessDecided = (
      flag: number | null,
      combine: (flag: number) => readonly PlainOp[],
    ): number | null => {
      if (flag === null) return null;
      const local = fn.local("i32");
      fn.get(flag, decided)
        .op(...combine(flag))
        .set(local);
      return local;
    };
    const present = unlessDecided(this.#all(args.map((arg) => arg.present)), () => ["i32.or"]);
    const overflown = unlessDecided(this.#any(args.map((arg) => arg.overflown)), () => [
      "i32.eqz",
      "i32.and",
    ]);
    return { value, present, overflown };
  }

  #presence(term: CallTerm, isMissing: boolean): EmittedTerm {
    const { fn } = this;
    const arg = this.emit(term.args[0]!);
    const value = fn.local("i32");
    if (arg.present === null) fn.i32(1);
    else fn.get(arg.present);
    if (isMissing) fn.op("i32.eqz");
    fn.set(value);
    return { value, present: null, overflown: arg.overflown };
  }

  #nullif(term: CallTerm): EmittedTerm {
    const { fn } = this;
    const [left, right] = term.args.map((arg) => this.emit(arg)) as [EmittedTerm, EmittedTerm];
    const present = fn.local("i32");
    fn.get(left.value, right.value).op(term.type === "int" ? "i64.ne" : "i32.ne");
    // A missing right side equals nothing.
    if (right.present !== null) fn.get(right.present).op("i32.eqz", "i32.or");
    if (left.present !== null) fn.get(left.present).op("i32.and");
    fn.set(present);
    const overflown = this.#any([left.overflown, right.overflown]);
    return { value: left.value, present, overflown };
  }

  #result(term: CallTerm): Result {
    return {
      value: this.fn.local(wasmTypeOf(term.type)),
      present: term.mayMiss || term.mayOverflow ? this.fn.local("i32") : null,
      overflown: term.mayOverflow ? this.fn.local("i32") : null,
    };
  }

  /** Locals keep what the row before left in them. */
  #clear({ present, overflown }: Result): void {
    if (present !== null) this.fn.i32(0).set(present);
    if (overflown !== null) this.fn.i32(0).set(overflown);
  }

  #assign(to: Result, from: EmittedTerm): void {
    const { fn } = this;
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

  /** The number on the stack is below 0: the result has overflown. */
  #overflowIfNegative(result: Strict): EmittedTerm {
    this.fn.i64(0n).op("i64.lt_s");
    return this.#overflowIf(result);
  }

  /** A shared function may have told of an overflow. */
  #overflowIfTold(result: Strict): EmittedTerm {
    this.fn.getGlobal().i32(0).setGlobal();
    return this.#overflowIf(result);
  }

  /** 1 on the stack: the result has overflown, if it is there at all. */
  #overflowIf(result: Strict): EmittedTerm {
    const { fn } = this;
    const overflown = fn.local("i32");
    if (result.present !== null) fn.get(result.present).op("i32.and");
    if (result.overflown !== null) fn.get(result.overflown).op("i32.or");
    fn.set(overflown);
    return { ...result, overflown };
  }

  #all(flags: readonly (number | null)[]): number | null {
    return this.#fold(flags, "i32.and");
  }

  #any(flags: readonly (number | null)[]): number | null {
    return this.#fold(flags, "i32.or");
  }

  #fold(flags: readonly (number | null)[], op: PlainOp): number | null {
    const locals = flags.filter((flag) => flag !== null);
    const [first, ...rest] = locals;
    if (first === undefined) return null;
    if (rest.length === 0) return first;
    const local = this.fn.local("i32");
    this.fn.get(first);
    for (const one of rest) this.fn.get(one).op(op);
    this.fn.set(local);
    return local;
  }

  #indexOf(name: SharedFunction): number {
    let shared = this.#shared.get(name);
    if (shared === undefined) {
      shared = { index: this.#shared.size, fn: sharedFunctions[name]() };
      this.#shared.set(name, shared);
    }
    return shared.index;
  }
}

const jsNames: ReadonlySet<string> = new Set(jsFns);

const isJs = (term: CallTerm): term is CallTerm & { readonly fn: JsFn } => jsNames.has(term.fn);

type Strict = EmittedTerm;
type Result = EmittedTerm;
type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

const comparisons64 = {
  "=": "i64.eq",
  "!=": "i64.ne",
  "<": "i64.lt_s",
  "<=": "i64.le_s",
  ">": "i64.gt_s",
  ">=": "i64.ge_s",
} as const satisfies Record<Comparison, PlainOp>;

const comparisons32 = {
  "=": "i32.eq",
  "!=": "i32.ne",
  "<": "i32.lt_s",
  "<=": "i32.le_s",
  ">": "i32.gt_s",
  ">=": "i32.ge_s",
} as const satisfies Record<Comparison, PlainOp>;
