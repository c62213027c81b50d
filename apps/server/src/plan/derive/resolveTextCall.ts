import { nearestHint, timeParts } from "@hadal/sdk";
import type { ListOperator } from "../../base/text/listOperator.js";
import type {
  TextFn,
  TypedCall,
  TypedConstant,
  TypedExpression,
  ValueType,
} from "../../function/term/typedExpression.js";
import { checkLike, groupsOfPattern } from "../filter/checkPattern.js";
import { typeMismatch } from "../schema/tableSchema.js";

/** Calls on strings and times: what each takes and gives. Long: one branch for each function, and the compiler checks that none is missing. */
export function resolveTextCall(
  fn: Exclude<TextFn, ListOperator>,
  args: readonly TypedExpression[],
  path: string,
  zone: string,
): TypedExpression {
  const argPath = (i: number): string => `${path}.args[${i}]`;
  const text = (i: number): TypedExpression => expectText(fn, args[i]!, argPath(i));
  const int = (i: number): TypedExpression => expectInt(fn, args[i]!, argPath(i));
  switch (fn) {
    case "contains":
    case "starts_with":
    case "ends_with":
      return call(fn, [text(0), text(1)], "truth");
    case "like": {
      const like = expectConstant(fn, text(1), argPath(1));
      if (like.value !== null) checkLike(like.value, argPath(1));
      return call(fn, [text(0), like], "truth");
    }
    case "~":
      return call(fn, [text(0), expectPattern(fn, text(1), argPath(1)).pattern], "truth");
    case "length": {
      const [list] = args as [TypedExpression];
      return call(fn, [list.type === "list" ? list : text(0)], "int");
    }
    case "lower":
    case "upper":
    case "pattern":
      return call(fn, [text(0)], "string");
    case "trim":
    case "ltrim":
    case "rtrim":
      return call(
        fn,
        args.map((_, i) => text(i)),
        "string",
      );
    case "left":
    case "right":
      return call(fn, [text(0), int(1)], "string");
    case "position":
      return call(fn, [text(0), text(1)], "int");
    case "lpad":
    case "rpad":
      return call(fn, [text(0), int(1), ...args.slice(2).map((_, i) => text(i + 2))], "string");
    case "to_decimal":
      return call(fn, [text(0)], "int");
    case "substr":
      return call(fn, [text(0), ...args.slice(1).map((_, i) => int(i + 1))], "string");
    case "replace":
      return call(fn, [text(0), text(1), text(2)], "string");
    case "concat":
    case "concat_ws":
      return call(
        fn,
        args.map((arg, i) => expectText(fn, printed(arg), argPath(i))),
        "string",
      );
    case "regexp_extract":
      return resolveExtract(fn, args, path);
    case "regexp_replace": {
      const { pattern } = expectPattern(fn, text(1), argPath(1));
      return call(fn, [text(0), pattern, expectConstant(fn, text(2), argPath(2))], "string");
    }
    case "extract":
      return { ...call(fn, [expectPart(args[0]!, argPath(0)), int(1)], "int"), zone };
    case "to_int": {
      const [value] = args as [TypedExpression];
      return call(fn, [value.type === "int" ? value : text(0)], "int");
    }
    case "to_string": {
      const [value] = args as [TypedExpression];
      if (value.type === "list") throw typeMismatch(argPath(0), "to_string takes no lists.");
      return value.type === "string" ? value : call(fn, [value], "string");
    }
  }
}

function resolveExtract(
  fn: TextFn,
  args: readonly TypedExpression[],
  path: string,
): TypedExpression {
  const text = expectText(fn, args[0]!, `${path}.args[0]`);
  const { pattern, groups } = expectPattern(
    fn,
    expectText(fn, args[1]!, `${path}.args[1]`),
    `${path}.args[1]`,
  );
  const asked = args[2];
  const group = asked && (asked.type === "int" ? constantText(asked) : null);
  const number = extractedGroup(group, groups, `${path}.args[2]`);
  const which: TypedConstant = { kind: "constant", type: "int", decimals: 0, value: `${number}` };
  return call(fn, [text, pattern, which], "string");
}

function call(fn: TextFn, args: readonly TypedExpression[], type: ValueType): TypedCall {
  return { kind: "call", fn, args, type, decimals: 0 };
}

/** Numbers as texts: what is put together may be both. */
function printed(term: TypedExpression): TypedExpression {
  if (term.type !== "int" || (term.kind === "constant" && term.value === null)) return term;
  return { kind: "call", fn: "to_string", args: [term], type: "string", decimals: 0 };
}

/** Strings, and conditions as the strings that rows hold. */
function expectText(fn: TextFn, term: TypedExpression, path: string): TypedExpression {
  if (term.type === "string") return term;
  if (term.kind === "constant" && (term.value === null || term.type === "truth")) {
    return { ...term, type: "string" };
  }
  if (term.type === "truth") {
    return { kind: "call", fn: "to_string", args: [term], type: "string", decimals: 0 };
  }
  const advice = term.type === "int" ? " Use to_string." : "";
  throw typeMismatch(path, `${fn} needs a string here; found ${describeType(term)}.${advice}`);
}

function expectInt(fn: TextFn, term: TypedExpression, path: string): TypedExpression {
  if (term.kind === "constant" && term.value === null) return { ...term, type: "int" };
  if (term.type === "int" && term.decimals === 0) return term;
  throw typeMismatch(path, `${fn} needs a whole number here; found ${describeType(term)}.`);
}

function expectConstant(fn: TextFn, term: TypedExpression, path: string): TypedConstant {
  if (term.kind === "constant") return term;
  throw typeMismatch(path, `${fn} needs a constant string here.`);
}

function expectPattern(
  fn: TextFn,
  term: TypedExpression,
  path: string,
): { readonly pattern: TypedConstant; readonly groups: number } {
  const pattern = expectConstant(fn, term, path);
  return { pattern, groups: pattern.value === null ? 0 : groupsOfPattern(pattern.value, path) };
}

/** `asked`: the group as a text of digits, undefined: the only one, or the whole match; null: nothing that could be one. */
export function extractedGroup(
  asked: string | null | undefined,
  groups: number,
  path: string,
): number {
  if (asked === undefined) return Math.min(groups, 1);
  const number = asked !== null && /^\d{1,4}$/.test(asked) ? Number(asked) : -1;
  if (number >= 0 && number <= groups) return number;
  const detail = `The pattern has ${groups} group(s); a group is a constant from 0 to ${groups}.`;
  throw typeMismatch(path, detail);
}

function expectPart(term: TypedExpression, path: string): TypedExpression {
  checkTimePart(constantText(term), path);
  return term;
}

export function checkTimePart(part: string | null, path: string): void {
  if (part !== null && timeParts.some((known) => known === part)) return;
  const hint = part === null ? "" : nearestHint(part.slice(0, 40), timeParts);
  throw typeMismatch(path, `extract needs one of ${timeParts.join(", ")} here.${hint}`);
}

function constantText(term: TypedExpression): string | null {
  return term.kind === "constant" ? term.value : null;
}

/** "a decimal", for sentences. */
export function describeType({ type, decimals }: TypedExpression): string {
  if (type === "int") return decimals > 0 ? "a decimal" : "an integer";
  const names = { string: "a string", truth: "a condition", list: "a set or vector" };
  return type === "number" ? "a number of JavaScript" : names[type];
}
