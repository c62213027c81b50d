import { nearestHint, timeParts } from "@hadal/sdk";
import type { ListOperator } from "../../base/text/listOperator.js";
import type {
  TextFn,
  TypedConstant,
  TypedExpression,
  ValueType,
} from "../../function/term/typedExpression.js";
import { call } from "../../function/term/typedTerms.js";
import { checkLike } from "../filter/checkPattern.js";
import { typeMismatch } from "../schema/tableSchema.js";
import {
  argPath,
  constantTextAt,
  patternAt,
  printedAt,
  type TypeCall,
  textAt,
  type UntypedCall,
  wholeAt,
} from "./callArguments.js";

/** How each call on strings and times gets its type. */
export const textCalls: {
  readonly [Fn in Exclude<TextFn, ListOperator | "to_decimal">]: TypeCall;
} = {
  contains: ofTexts("truth"),
  starts_with: ofTexts("truth"),
  ends_with: ofTexts("truth"),
  like: typeLike,
  "~": (untyped) => call("~", [textAt(untyped, 0), patternAt(untyped, 1).pattern], "truth"),
  length: (untyped) => call("length", [unlessType("list", untyped)], "int"),
  lower: ofTexts("string"),
  upper: ofTexts("string"),
  pattern: ofTexts("string"),
  trim: ofTexts("string"),
  ltrim: ofTexts("string"),
  rtrim: ofTexts("string"),
  left: ofTextAndLength,
  right: ofTextAndLength,
  position: ofTexts("int"),
  lpad: ofTextAndLength,
  rpad: ofTextAndLength,
  substr: typeSubstring,
  replace: ofTexts("string"),
  concat: ofPrinted,
  concat_ws: ofPrinted,
  regexp_extract: typeExtraction,
  regexp_replace: typeReplacement,
  extract: typeTimePart,
  to_int: (untyped) => call("to_int", [unlessType("int", untyped)], "int"),
  to_string: typeToString,
};

/** All arguments are strings. */
function ofTexts(type: ValueType): TypeCall {
  return (untyped) =>
    call(
      untyped.fn,
      untyped.args.map((_, i) => textAt(untyped, i)),
      type,
    );
}

/** A string, a length, and perhaps a string to fill it up with. */
function ofTextAndLength(untyped: UntypedCall): TypedExpression {
  const args = untyped.args.map((_, i) => (i === 1 ? wholeAt(untyped, i) : textAt(untyped, i)));
  return call(untyped.fn, args, "string");
}

/** Numbers among the arguments are printed. */
function ofPrinted(untyped: UntypedCall): TypedExpression {
  return call(
    untyped.fn,
    untyped.args.map((_, i) => printedAt(untyped, i)),
    "string",
  );
}

function unlessType(type: "int" | "list", untyped: UntypedCall): TypedExpression {
  const term = untyped.args[0]!;
  return term.type === type ? term : textAt(untyped, 0);
}

function typeLike(untyped: UntypedCall): TypedExpression {
  const pattern = constantTextAt(untyped, 1);
  if (pattern.value !== null) checkLike(pattern.value, argPath(untyped, 1));
  return call("like", [textAt(untyped, 0), pattern], "truth");
}

function typeSubstring(untyped: UntypedCall): TypedExpression {
  const args = untyped.args.map((_, i) => (i === 0 ? textAt(untyped, i) : wholeAt(untyped, i)));
  return call("substr", args, "string");
}

function typeExtraction(untyped: UntypedCall): TypedExpression {
  const text = textAt(untyped, 0);
  const { pattern, groups } = patternAt(untyped, 1);
  const asked = untyped.args[2];
  const group = asked && (asked.type === "int" ? constantText(asked) : null);
  const number = extractedGroup(group, groups, argPath(untyped, 2));
  const which: TypedConstant = { kind: "constant", type: "int", decimals: 0, value: `${number}` };
  return call("regexp_extract", [text, pattern, which], "string");
}

function typeReplacement(untyped: UntypedCall): TypedExpression {
  const { pattern } = patternAt(untyped, 1);
  return call(
    "regexp_replace",
    [textAt(untyped, 0), pattern, constantTextAt(untyped, 2)],
    "string",
  );
}

function typeTimePart(untyped: UntypedCall): TypedExpression {
  const part = untyped.args[0]!;
  checkTimePart(constantText(part), argPath(untyped, 0));
  return { ...call("extract", [part, wholeAt(untyped, 1)], "int"), zone: untyped.timeZone };
}

function typeToString(untyped: UntypedCall): TypedExpression {
  const value = untyped.args[0]!;
  if (value.type === "list") {
    throw typeMismatch(argPath(untyped, 0), "to_string takes no lists.");
  }
  return value.type === "string" ? value : call("to_string", [value], "string");
}

/** `asked`: the group's number in digits; undefined: the only group, or the whole match; null: not a constant. */
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

export function checkTimePart(part: string | null, path: string): void {
  if (part !== null && timeParts.some((known) => known === part)) return;
  const hint = part === null ? "" : nearestHint(part.slice(0, 40), timeParts);
  throw typeMismatch(path, `extract needs one of ${timeParts.join(", ")} here.${hint}`);
}

function constantText(term: TypedExpression): string | null {
  return term.kind === "constant" ? term.value : null;
}
