import { type BoundTerm, type CallTerm, callTerm, constantTerm } from "./boundTerm.js";

/** Doubles count every whole number up to here, and one more. */
const exactMax = 2n ** 52n;

const integerFns = new Map([
  ["js +", "+"],
  ["js -", "-"],
  ["js *", "*"],
  ["js negate", "negate"],
  ["js abs", "abs"],
  ["js min", "least"],
  ["js max", "greatest"],
] as const) as ReadonlyMap<string, "+" | "-" | "*" | "negate" | "abs" | "least" | "greatest">;

const comparisons = new Map([
  ["js =", "="],
  ["js <", "<"],
  ["js <=", "<="],
  ["js >", ">"],
  ["js >=", ">="],
] as const) as ReadonlyMap<string, "=" | "<" | "<=" | ">" | ">=">;

/**
 * A call of JavaScript that ends with its numbers (a comparison, a result) in integer arithmetic, which is several times
 * as fast, where all numbers on the way are whole and small enough for a double to be exact; else as it is. What is NaN
 * to the one is missing to the other: no value of a row, and false to comparisons.
 */
export function withIntegers(call: CallTerm): BoundTerm {
  const forms = call.args.map(integerForm);
  const [a, b] = forms;
  if (a === undefined || a === null || b === null) return call;
  if (call.fn === "js store") {
    return call.decimals === 0 ? a : callTerm("rescale", [a], "int", call.decimals);
  }
  if (call.fn === "js truthy") {
    return certain(callTerm("!=", [a, constantTerm("int", 0, 0n)], "truth", 0));
  }
  const fn = comparisons.get(call.fn);
  if (fn === undefined || b === undefined) return call;
  // Undefined equals undefined, but not as numbers.
  if (fn === "=" && a.mayMiss && b.mayMiss) return call;
  return certain(callTerm(fn, [a, b], "truth", 0));
}

function certain(condition: CallTerm): BoundTerm {
  if (!condition.mayMiss) return condition;
  return callTerm("coalesce", [condition, constantTerm("truth", 0, 0n)], "truth", 0);
}

/** Null: its values are not sure to be small whole numbers. */
function integerForm(term: BoundTerm): BoundTerm | null {
  if (term.type !== "number") return null;
  if (term.kind === "constant") {
    const { value } = term;
    if (value === null) return constantTerm("int", 0, null);
    const isWhole = Number.isInteger(value) && Math.abs(Number(value)) <= Number(exactMax);
    return isWhole ? constantTerm("int", 0, BigInt(value)) : null;
  }
  return term.kind === "call" ? exact(integerCall(term)) : null;
}

function integerCall({ fn, args }: CallTerm): BoundTerm | null {
  if (fn === "js number") {
    const [column] = args;
    return column?.decimals === 0 ? column : null;
  }
  if (fn === "case" && args.length === 3) {
    const [condition, yes, no] = args as [BoundTerm, BoundTerm, BoundTerm];
    const [a, b] = [integerForm(yes), integerForm(no)];
    return a === null || b === null ? null : callTerm("case", [condition, a, b], "int", 0);
  }
  const forms = args.map(integerForm);
  const known = forms.filter((form) => form !== null);
  if (known.length < forms.length) return null;
  // Rounding changes no whole number.
  if (["js floor", "js ceil", "js trunc", "js round"].includes(fn)) return known[0]!;
  const integerFn = integerFns.get(fn);
  // NaN is the least and the greatest of whatever it stands beside; what is missing is passed over.
  const isExtreme = integerFn === "least" || integerFn === "greatest";
  if (isExtreme && known.some(({ mayMiss }) => mayMiss)) return null;
  return integerFn === undefined ? null : callTerm(integerFn, known, "int", 0);
}

function exact(term: BoundTerm | null): BoundTerm | null {
  if (term === null || term.mayOverflow) return null;
  return term.min >= -exactMax && term.max <= exactMax ? term : null;
}
