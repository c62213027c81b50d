import type { TimePart } from "@hadal/sdk";
import { RE2JS } from "re2js";
import { decimalOfText, integerOfText } from "../../base/number/decimalText.js";
import { createTimePart } from "../../base/number/timePart.js";
import { linePattern } from "../../base/text/linePattern.js";
import { askOfList, type ListOperator } from "../../base/text/listOperator.js";
import { createListMatch } from "../../base/text/matchList.js";
import {
  boundedText,
  createExtract,
  createReplace,
  leftOf,
  lengthOf,
  padded,
  patternOfLike,
  positionOf,
  replaceAll,
  rightOf,
  substring,
  trimCharacters,
} from "../../base/text/textFunctions.js";
import { printDecimal } from "../../column/decimal.js";
import type { Cell, StringList } from "../term/cell.js";
import type { TextFn, TypedCall, TypedExpression } from "../term/typedExpression.js";

type TextCall = Omit<TypedCall, "fn"> & { readonly fn: TextFn };
/** The result for one row. Cells are strings, except where a function takes another type. */
type ApplyToRow = (cells: readonly string[]) => Cell;

/** A function of strings and times, none of them missing. Constants are prepared once. */
export function createTextFunction(call: TextCall): (cells: readonly Cell[]) => Cell {
  const { fn } = call;
  const apply = textFunctions[fn](call);
  return (cells) => {
    const result = apply(cells as readonly string[]);
    return typeof result === "string" ? boundedText(fn, result) : result;
  };
}

const textFunctions: { readonly [Fn in TextFn]: (call: TextCall) => ApplyToRow } = {
  contains: plain(([text, part]) => text!.includes(part!)),
  starts_with: plain(([text, part]) => text!.startsWith(part!)),
  ends_with: plain(([text, part]) => text!.endsWith(part!)),
  lower: plain(([text]) => text!.toLowerCase()),
  upper: plain(([text]) => text!.toUpperCase()),
  pattern: plain(([text]) => linePattern(text!)),
  trim: () => createTrim({ start: true, end: true }),
  ltrim: () => createTrim({ start: true, end: false }),
  rtrim: () => createTrim({ start: false, end: true }),
  left: plain((cells) => leftOf(cells[0]!, integerAt(cells, 1))),
  right: plain((cells) => rightOf(cells[0]!, integerAt(cells, 1))),
  lpad: plain((cells) => padded("lpad", cells[0]!, integerAt(cells, 1), cells[2] ?? " ")),
  rpad: plain((cells) => padded("rpad", cells[0]!, integerAt(cells, 1), cells[2] ?? " ")),
  position: plain(([text, part]) => positionOf(text!, part!)),
  replace: plain(([text, part, by]) => replaceAll(text!, part!, by!)),
  concat: plain((texts) => texts.join("")),
  concat_ws: () => {
    throw new Error("concat_ws sees missing values");
  },
  length: createLength,
  substr: plain((cells) => {
    const [text, from, count] = cells as readonly unknown[] as [string, bigint, bigint?];
    return substring(text, from, count);
  }),
  "includes any": createListTest,
  "includes all": createListTest,
  "includes none": createListTest,
  "is empty": createListTest,
  "starts with": createListTest,
  "ends with": createListTest,
  "contains sequence": createListTest,
  like: (call) => matchWith(call, (like) => createMatch(patternOfLike(like))),
  "~": (call) => matchWith(call, createMatch),
  regexp_extract: (call) =>
    matchWith(call, (pattern) => {
      const extract = createExtract(pattern, Number(constantOf(call.args[2]!)));
      return ([text]) => extract(text!);
    }),
  regexp_replace: (call) =>
    matchWith(call, (pattern) => {
      const replace = createReplace(pattern);
      return ([text, , by]) => replace(text!, by!);
    }),
  extract: ({ args, zone }) => {
    const partOf = createTimePart(constantOf(args[0]!) as TimePart, zone ?? "UTC");
    return (cells) => partOf(integerAt(cells, 1));
  },
  to_decimal:
    ({ decimals }) =>
    ([text]) =>
      decimalOfText(text!, decimals),
  to_int: createToInt,
  to_string: createToString,
};

/** For a function that prepares nothing of its arguments. */
function plain(apply: ApplyToRow): () => ApplyToRow {
  return () => apply;
}

function integerAt(cells: readonly unknown[], index: number): bigint {
  return cells[index] as bigint;
}

function createTrim(ends: { readonly start: boolean; readonly end: boolean }): ApplyToRow {
  return ([text, characters = " "]) => trimCharacters(text!, characters, ends);
}

function createLength({ args }: TextCall): ApplyToRow {
  const isList = args[0]!.type === "list";
  return (cells) => {
    const [cell] = cells as readonly (string | StringList)[];
    return BigInt(isList ? cell!.length : lengthOf(cell as string));
  };
}

function createListTest({ fn, args }: TextCall): ApplyToRow {
  const wanted = args.slice(1).map((arg) => constantOf(arg) ?? "");
  const { test, negated } = askOfList(fn as ListOperator, wanted);
  const matches = createListMatch(test, (text) => text);
  return (cells) => matches(cells[0] as unknown as readonly string[]) !== negated;
}

/** The pattern is the second argument. The result is missing where the pattern is. */
function matchWith({ args }: TextCall, create: (pattern: string) => ApplyToRow): ApplyToRow {
  const pattern = constantOf(args[1]!);
  return pattern === null ? () => null : create(pattern);
}

function createMatch(pattern: string): ApplyToRow {
  const compiled = RE2JS.compile(pattern);
  return ([text]) => compiled.test(text!);
}

function constantOf(term: TypedExpression): string | null {
  if (term.kind !== "constant") throw new Error("checked to be constant when it was resolved");
  return term.value;
}

/** A number without its fraction; missing where a text is not an integer of 64 bits. */
function createToInt({ args }: TextCall): ApplyToRow {
  const { type, decimals } = args[0]!;
  if (type === "int") {
    const factor = 10n ** BigInt(decimals);
    return (cells) => integerAt(cells, 0) / factor;
  }
  return ([text]) => integerOfText(text!);
}

function createToString({ args }: TextCall): ApplyToRow {
  const { type, decimals } = args[0]!;
  if (type === "truth") return ([cell]) => String(cell);
  return (cells) => printDecimal(integerAt(cells, 0), decimals);
}
