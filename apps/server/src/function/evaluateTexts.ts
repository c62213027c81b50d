import type { TimePart } from "@hadal/sdk";
import { RE2JS } from "re2js";
import {
  boundedText,
  createExtract,
  createReplace,
  lengthOf,
  patternOfLike,
  replaceAll,
  substring,
  trimSpaces,
} from "../base/textFunctions.js";
import { printDecimal } from "../column/decimal.js";
import { integerOfText } from "../plan/decimalText.js";
import { createTimePart } from "../plan/timePart.js";
import type { TextFn, TypedCall, TypedExpression } from "../plan/typedExpression.js";
import type { Cell, StringList } from "./cell.js";

/** A function of strings and times, none of them missing. What is constant is prepared once. */
export function createTextFunction({
  fn,
  args,
  zone,
}: Omit<TypedCall, "fn"> & { readonly fn: TextFn }): (cells: readonly Cell[]) => Cell {
  const apply = createPlain(fn, args, zone ?? "UTC");
  return (cells) => {
    const result = apply(cells as readonly string[]);
    return typeof result === "string" ? boundedText(fn, result) : result;
  };
}

/** Cells are strings but where the function takes something else. */
function createPlain(
  fn: TextFn,
  args: readonly TypedExpression[],
  zone: string,
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
    case "trim":
      return ([text]) => trimSpaces(text!);
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
      const { type, decimals } = args[0]!;
      if (type === "truth") return ([cell]) => String(cell);
      return (cells) => printDecimal(cells[0] as unknown as bigint, decimals);
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
