import { checkTimePart, extractedGroup } from "../derive/resolveTextCall.js";
import { checkLike, groupsOfPattern } from "../filter/checkPattern.js";
import type { Calculation, CalculationFn, CalculationType } from "../query/calculation.js";
import { typeMismatch } from "../schema/tableSchema.js";

/** Calls on texts and times of results: what each takes and gives; null for another call. Long: one branch for each function. */
export function bindTextCall(
  fn: CalculationFn,
  args: readonly Calculation[],
  path: string,
  zone: string,
): Calculation | null {
  const call = (type: CalculationType, own: readonly Calculation[] = args): Calculation => ({
    ...{ kind: "call", fn, args: own, type, decimals: 0 },
  });
  const argPath = (i: number): string => `${path}.args[${i}]`;
  const [first, second] = args as [Calculation, Calculation];
  switch (fn) {
    case "to_string":
      return call("text");
    case "to_int":
      if (first.type === "truth") throw typeMismatch(argPath(0), "to_int takes numbers and texts.");
      return call("exact");
    // Numbers are written as results show them.
    case "concat":
    case "concat_ws":
      return call("text", args.map(printed));
    case "lower":
    case "upper":
    case "pattern":
    case "trim":
    case "ltrim":
    case "rtrim":
    case "replace":
      expectTexts(fn, args, path);
      return call("text");
    case "left":
    case "right":
      expectTexts(fn, [first], path);
      expectWhole(fn, second, argPath(1));
      return call("text");
    case "lpad":
    case "rpad":
      expectTexts(fn, [first, ...args.slice(2)], path);
      expectWhole(fn, second, argPath(1));
      return call("text");
    case "position":
      expectTexts(fn, args, path);
      return call("exact");
    case "length":
      expectTexts(fn, args, path);
      return call("exact");
    case "contains":
    case "starts_with":
    case "ends_with":
      expectTexts(fn, args, path);
      return call("truth");
    case "substr":
      expectTexts(fn, [first], path);
      for (let i = 1; i < args.length; i++) expectWhole(fn, args[i]!, argPath(i));
      return call("text");
    case "like":
    case "~":
      expectTexts(fn, [first], path);
      expectPattern(fn, second, argPath(1));
      return call("truth");
    case "regexp_replace":
      expectTexts(fn, [first], path);
      expectPattern(fn, second, argPath(1));
      expectConstant(fn, args[2]!, argPath(2));
      return call("text");
    case "regexp_extract": {
      expectTexts(fn, [first], path);
      const groups = expectPattern(fn, second, argPath(1));
      const group = extractedGroup(args[2] && digitsOf(args[2]), groups, argPath(2));
      return call("text", [first, second, whole(group)]);
    }
    case "extract":
      checkTimePart(textOf(first), argPath(0));
      expectWhole(fn, second, argPath(1));
      return { kind: "call", fn, args, type: "exact", decimals: 0, zone };
    default:
      return null;
  }
}

function printed(term: Calculation): Calculation {
  if (term.type === "text" || isNothing(term)) return term;
  return { kind: "call", fn: "to_string", args: [term], type: "text", decimals: 0 };
}

export function isNothing(term: Calculation): boolean {
  return term.kind === "constant" && term.value === null;
}

const whole = (value: number): Calculation => ({
  ...{ kind: "constant", value: BigInt(value), type: "exact", decimals: 0 },
});

/** Texts, and conditions as the texts that results show. */
function expectTexts(fn: string, args: readonly Calculation[], path: string): void {
  const wrong = args.findIndex(
    (term) => term.type !== "text" && term.type !== "truth" && !isNothing(term),
  );
  if (wrong < 0) return;
  throw typeMismatch(`${path}.args[${wrong}]`, `${fn} needs a text here. Use to_string.`);
}

function expectWhole(fn: string, term: Calculation, path: string): void {
  if (isNothing(term) || (term.type === "exact" && term.decimals === 0)) return;
  throw typeMismatch(path, `${fn} needs a whole number here. Use to_int.`);
}

/** Null: the constant is missing, and so is what comes of it. */
function expectConstant(fn: string, term: Calculation, path: string): string | null {
  if (isNothing(term)) return null;
  const text = textOf(term);
  if (text === null) throw typeMismatch(path, `${fn} needs a constant text here.`);
  return text;
}

/** How many groups the pattern has. */
function expectPattern(fn: string, term: Calculation, path: string): number {
  const pattern = expectConstant(fn, term, path);
  if (pattern === null) return 0;
  if (fn !== "like") return groupsOfPattern(pattern, path);
  checkLike(pattern, path);
  return 0;
}

function textOf(term: Calculation): string | null {
  return term.kind === "constant" && typeof term.value === "string" ? term.value : null;
}

function digitsOf(term: Calculation): string | null {
  const isWhole = term.kind === "constant" && term.type === "exact" && term.decimals === 0;
  return isWhole && term.value !== null ? String(term.value) : null;
}
