import type { TimePart } from "@hadal/sdk";
import { RE2JS } from "re2js";
import { integerOfText } from "../../base/number/decimalText.js";
import { createTimePart } from "../../base/number/timePart.js";
import { linePattern } from "../../base/text/linePattern.js";
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
import type { CalculatedValue, Calculation } from "../../plan/query/calculation.js";
import { exactText, rescale } from "../partial/decimalCell.js";

type Call = Extract<Calculation, { readonly kind: "call" }>;
type Present = Exclude<CalculatedValue, null>;
type Compute = (values: readonly Present[]) => CalculatedValue;

/** Functions of texts and times of results, none of them missing; what is constant is prepared once. Null: it is another function. */
export function createTextCompute(call: Call): Compute | null {
  const compute = createPlain(call);
  if (compute === null || call.type !== "text") return compute;
  return (values) => {
    const result = compute(values);
    return typeof result === "string" ? boundedText(call.fn, result) : result;
  };
}

function createPlain({ fn, args, zone }: Call): Compute | null {
  const [a] = args as [Calculation];
  switch (fn) {
    case "to_string":
      return ([x]) => (typeof x === "bigint" ? exactText(x, a.decimals) : String(x));
    case "to_int":
      return ([x]) => {
        if (typeof x === "string") return integerOfText(x);
        return typeof x === "bigint" ? rescale(x, a.decimals, 0) : BigInt(Math.trunc(Number(x)));
      };
    case "concat":
      return (texts) => texts.join("");
    case "lower":
      return ([x]) => String(x).toLowerCase();
    case "upper":
      return ([x]) => String(x).toUpperCase();
    case "pattern":
      return ([x]) => linePattern(String(x));
    case "trim":
    case "ltrim":
    case "rtrim": {
      const ends = { start: fn !== "rtrim", end: fn !== "ltrim" };
      return ([x, characters = " "]) => trimCharacters(String(x), String(characters), ends);
    }
    case "left":
      return ([x, count]) => leftOf(String(x), BigInt(count!));
    case "right":
      return ([x, count]) => rightOf(String(x), BigInt(count!));
    case "position":
      return ([x, part]) => positionOf(String(x), String(part));
    case "lpad":
    case "rpad":
      return ([x, length, fill = " "]) => padded(fn, String(x), BigInt(length!), String(fill));
    case "length":
      return ([x]) => BigInt(lengthOf(String(x)));
    case "replace":
      return ([x, part, by]) => replaceAll(String(x), String(part), String(by));
    case "substr":
      return ([x, from, count]) =>
        substring(String(x), BigInt(from!), count === undefined ? undefined : BigInt(count));
    case "contains":
      return ([x, y]) => String(x).includes(String(y));
    case "starts_with":
      return ([x, y]) => String(x).startsWith(String(y));
    case "ends_with":
      return ([x, y]) => String(x).endsWith(String(y));
    case "like":
    case "~":
    case "regexp_extract":
    case "regexp_replace":
      return createMatching(fn, args);
    case "extract": {
      const partOf = createTimePart(constantOf(a) as TimePart, zone ?? "UTC");
      return ([, at]) => partOf(BigInt(at!));
    }
    default:
      return null;
  }
}

/** Without a pattern nothing comes of it. */
function createMatching(
  fn: "like" | "~" | "regexp_extract" | "regexp_replace",
  args: readonly Calculation[],
): Compute {
  const source = constantOf(args[1]!);
  if (typeof source !== "string") return () => null;
  switch (fn) {
    case "like":
    case "~": {
      const pattern = RE2JS.compile(fn === "like" ? patternOfLike(source) : source);
      return ([x]) => pattern.test(String(x));
    }
    case "regexp_extract": {
      const extract = createExtract(source, Number(constantOf(args[2]!)));
      return ([x]) => extract(String(x));
    }
    case "regexp_replace": {
      const replace = createReplace(source);
      return ([x, , by]) => replace(String(x), String(by));
    }
  }
}

function constantOf(term: Calculation): CalculatedValue {
  if (term.kind !== "constant") throw new Error("checked to be constant when it was resolved");
  return term.value;
}
