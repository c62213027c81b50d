import { checkTimePart, extractedGroup } from "../derive/textCalls.js";
import { checkLike, groupsOfPattern } from "../filter/checkPattern.js";
import type { Calculation, CalculationFn, CalculationType } from "../query/calculation.js";
import { typeMismatch } from "../schema/tableSchema.js";
import { argPath, type BindCall, bound, isMissing, type UnboundCall } from "./calculationCall.js";

/** How each call on texts and times of results gets its type. */
export const textCalculations = {
  to_string: (unbound) => bound(unbound, "text"),
  to_int: bindToInt,
  concat: ofPrinted,
  concat_ws: ofPrinted,
  lower: ofTexts("text"),
  upper: ofTexts("text"),
  pattern: ofTexts("text"),
  trim: ofTexts("text"),
  ltrim: ofTexts("text"),
  rtrim: ofTexts("text"),
  replace: ofTexts("text"),
  left: ofTextAndLength,
  right: ofTextAndLength,
  lpad: ofTextAndLength,
  rpad: ofTextAndLength,
  position: ofTexts("exact"),
  length: ofTexts("exact"),
  contains: ofTexts("truth"),
  starts_with: ofTexts("truth"),
  ends_with: ofTexts("truth"),
  substr: bindSubstring,
  like: bindMatch,
  "~": bindMatch,
  regexp_replace: bindReplacement,
  regexp_extract: bindExtraction,
  extract: bindTimePart,
} as const satisfies Partial<Record<CalculationFn, BindCall>>;

/** All arguments are texts. */
function ofTexts(type: CalculationType): BindCall {
  return (unbound) => {
    unbound.args.forEach((_, i) => {
      expectText(unbound, i);
    });
    return bound(unbound, type);
  };
}

/** Other arguments are printed as results show them. */
function ofPrinted(unbound: UnboundCall): Calculation {
  return bound({ ...unbound, args: unbound.args.map(printed) }, "text");
}

function printed(term: Calculation): Calculation {
  if (term.type === "text" || isMissing(term)) return term;
  return { kind: "call", fn: "to_string", args: [term], type: "text", decimals: 0 };
}

/** A text, a length, and perhaps a text to fill it up with. */
function ofTextAndLength(unbound: UnboundCall): Calculation {
  unbound.args.forEach((_, i) => {
    if (i !== 1) expectText(unbound, i);
  });
  expectWhole(unbound, 1);
  return bound(unbound, "text");
}

function bindToInt(unbound: UnboundCall): Calculation {
  if (unbound.args[0]!.type === "truth") {
    throw typeMismatch(argPath(unbound, 0), "to_int takes numbers and texts.");
  }
  return bound(unbound, "exact");
}

function bindSubstring(unbound: UnboundCall): Calculation {
  expectText(unbound, 0);
  for (let i = 1; i < unbound.args.length; i++) expectWhole(unbound, i);
  return bound(unbound, "text");
}

function bindMatch(unbound: UnboundCall): Calculation {
  expectText(unbound, 0);
  countPatternGroups(unbound, 1);
  return bound(unbound, "truth");
}

function bindReplacement(unbound: UnboundCall): Calculation {
  expectText(unbound, 0);
  countPatternGroups(unbound, 1);
  expectConstant(unbound, 2);
  return bound(unbound, "text");
}

function bindExtraction(unbound: UnboundCall): Calculation {
  expectText(unbound, 0);
  const groups = countPatternGroups(unbound, 1);
  const [text, pattern, asked] = unbound.args as [Calculation, Calculation, Calculation?];
  const group = extractedGroup(asked && digitsOf(asked), groups, argPath(unbound, 2));
  return bound({ ...unbound, args: [text, pattern, whole(group)] }, "text");
}

function bindTimePart(unbound: UnboundCall): Calculation {
  const { fn, args, timeZone } = unbound;
  checkTimePart(textOf(args[0]!), argPath(unbound, 0));
  expectWhole(unbound, 1);
  return { kind: "call", fn, args, type: "exact", decimals: 0, zone: timeZone };
}

/** A text, or a condition as the text that results show. */
function expectText(unbound: UnboundCall, index: number): void {
  const term = unbound.args[index]!;
  if (term.type === "text" || term.type === "truth" || isMissing(term)) return;
  throw typeMismatch(argPath(unbound, index), `${unbound.fn} needs a text here. Use to_string.`);
}

function expectWhole(unbound: UnboundCall, index: number): void {
  const term = unbound.args[index]!;
  if (isMissing(term) || (term.type === "exact" && term.decimals === 0)) return;
  throw typeMismatch(
    argPath(unbound, index),
    `${unbound.fn} needs a whole number here. Use to_int.`,
  );
}

/** Null: the constant is missing, and so is the result. */
function expectConstant(unbound: UnboundCall, index: number): string | null {
  const term = unbound.args[index]!;
  if (isMissing(term)) return null;
  const text = textOf(term);
  if (text === null) {
    throw typeMismatch(argPath(unbound, index), `${unbound.fn} needs a constant text here.`);
  }
  return text;
}

/** Checks the pattern; a pattern of `like` has no groups. */
function countPatternGroups(unbound: UnboundCall, index: number): number {
  const pattern = expectConstant(unbound, index);
  if (pattern === null) return 0;
  const path = argPath(unbound, index);
  if (unbound.fn !== "like") return groupsOfPattern(pattern, path);
  checkLike(pattern, path);
  return 0;
}

function whole(value: number): Calculation {
  return { kind: "constant", value: BigInt(value), type: "exact", decimals: 0 };
}

function textOf(term: Calculation): string | null {
  return term.kind === "constant" && typeof term.value === "string" ? term.value : null;
}

function digitsOf(term: Calculation): string | null {
  const isWhole = term.kind === "constant" && term.type === "exact" && term.decimals === 0;
  return isWhole && term.value !== null ? String(term.value) : null;
}
