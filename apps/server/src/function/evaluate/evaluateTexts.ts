import type { TimePart } from "@hadal/sdk";
import { RE2JS } from "re2js";
import { decimalOfText, integerOfText } from "../../base/number/decimalText.js";
import { createTimePart } from "../../base/number/timePart.js";
import { linePattern } from "../../base/text/linePattern.js";
import { askOfList } from "../../base/text/listOperator.js";
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

/** A function of strings and times, none of them missing. What is constant is prepared once. */
export function createTextFunction({
  fn,
  args,
  zone,
  decimals,
}: Omit<TypedCall, "fn"> & { readonly fn: TextFn }): (cells: readonly Cell[]) => Cell {
  const apply = createPlain(fn, args, zone ?? "UTC", decimals);
  return (cells) => {
    const result = apply(cells as readonly string[]);
    return typeof result === "string" ? boundedText(fn, result) : result;
  };
}

/** Cells are strings but where the function takes something else. Long: one branch for each function, and the compiler checks that none is missing. */
function createPlain(
  fn: TextFn,
  args: readonly TypedExpression[],
  zone: string,
  decimals: number,
): (cells: readonly string[]) => Cell {
  switch (fn) {
    case "contains":
      return ([text, part]) => text!.includes(part!);
    case "starts_with":
      return ([text, part]) => text!.startsWith(part!);
    case "ends_with":
      return ([text, part]) => text!.endsWith(part!);
    case "lower":
      return ([text]) => text!.toLowerCase();
    case "upper":
      return ([text]) => text!.toUpperCase();
    case "pattern":
      return ([text]) => linePattern(text!);
    case "trim":
    case "ltrim":
    case "rtrim": {
      const ends = { start: fn !== "rtrim", end: fn !== "ltrim" };
      return ([text, characters = " "]) => trimCharacters(text!, characters, ends);
    }
    case "left":
    case "right": {
      const take = fn === "left" ? leftOf : rightOf;
      return (cells) => take(cells[0]!, cells[1] as unknown as bigint);
    }
    case "position":
      return ([text, part]) => positionOf(text!, part!);
    case "lpad":
    case "rpad":
      return (cells) => padded(fn, cells[0]!, cells[1] as unknown as bigint, cells[2] ?? " ");
    case "includes any":
    case "includes all":
    case "includes none":
    case "is empty":
    case "starts with":
    case "ends with":
    case "contains sequence": {
      const wanted = args.slice(1).map((arg) => constantOf(arg) ?? "");
      const { test, negated } = askOfList(fn, wanted);
      const holds = createListMatch(test, (text) => text);
      return (cells) => holds(cells[0] as unknown as readonly string[]) !== negated;
    }
    case "concat_ws":
      throw new Error("concat_ws sees missing values");
    case "to_decimal":
      return ([text]) => decimalOfText(text!, decimals);
    case "replace":
      return ([text, part, by]) => replaceAll(text!, part!, by!);
    case "concat":
      return (texts) => texts.join("");
    case "~":
    case "like": {
      const constant = constantOf(args[1]!);
      if (constant === null) return () => null;
      const pattern = RE2JS.compile(fn === "like" ? patternOfLike(constant) : constant);
      return ([text]) => pattern.test(text!);
    }
    case "regexp_extract": {
      const constant = constantOf(args[1]!);
      if (constant === null) return () => null;
      const extract = createExtract(constant, Number(constantOf(args[2]!)));
      return ([text]) => extract(text!);
    }
    case "regexp_replace": {
      const constant = constantOf(args[1]!);
      if (constant === null) return () => null;
      const replace = createReplace(constant);
      return ([text, , by]) => replace(text!, by!);
    }
    case "length": {
      const isList = args[0]!.type === "list";
      return (cells) => {
        const [cell] = cells as readonly (string | StringList)[];
        return BigInt(isList ? cell!.length : lengthOf(cell as string));
      };
    }
    case "substr":
      return (cells) => {
        const [text, from, count] = cells as readonly unknown[] as [string, bigint, bigint?];
        return substring(text, from, count);
      };
    case "extract": {
      const partOf = createTimePart(constantOf(args[0]!) as TimePart, zone);
      return (cells) => partOf(cells[1] as unknown as bigint);
    }
    case "to_int":
      return createToInt(args[0]!);
    case "to_string": {
      const { type, decimals: digits } = args[0]!;
      if (type === "truth") return ([cell]) => String(cell);
      return (cells) => printDecimal(cells[0] as unknown as bigint, digits);
    }
  }
}

function constantOf(term: TypedExpression): string | null {
  if (term.kind !== "constant") throw new Error("checked to be constant when it was resolved");
  return term.value;
}

/** A number without its fraction; missing where a text is none, or none of 64 bits. */
function createToInt({ type, decimals }: TypedExpression): (cells: readonly string[]) => Cell {
  if (type === "int") {
    const factor = 10n ** BigInt(decimals);
    return (cells) => (cells[0] as unknown as bigint) / factor;
  }
  return ([text]) => integerOfText(text!);
}
