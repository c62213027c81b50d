import type { Expression, ExpressionFn, TimePart } from "@hadal/sdk";
import { RE2JS } from "re2js";
import { localOf } from "../query/zoneTime.js";
import type { OracleRow, OracleTable } from "../table/oracleTable.js";
import { cellOf, columnOf, compareCodePoints, printScaled } from "../table/oracleTable.js";
import { naivePattern } from "./naivePattern.js";

/** An integer with its scale, a string, a condition, a list; null: missing. */
type Value = Scaled | string | boolean | readonly string[] | null;
interface Scaled {
  readonly digits: bigint;
  readonly scale: number;
}

/** A row whose value needs more than 64 bits. */
export class NaiveOverflow extends Error {}

export interface ExpressionScope {
  readonly table: OracleTable;
  readonly timeZone: string;
}

/**
 * The value of an expression in one row, by the letter of the contract and nothing else: a second reading of it, so
 * that no line is shared with the engine under test. Works on the expression as it was asked, types found as it goes.
 */
export function evaluateNaively(term: Expression, row: OracleRow, scope: ExpressionScope): Value {
  if ("column" in term) {
    const cell = cellOf(row, term.column);
    if (cell === undefined) return null;
    if (typeof cell !== "bigint") return cell;
    return { digits: cell, scale: columnOf(scope.table, term.column).decimals };
  }
  if ("integer" in term) return { digits: BigInt(term.integer), scale: 0 };
  if ("decimal" in term) return readNumber(term.decimal);
  if ("value" in term) {
    const { value } = term;
    return typeof value === "number" ? readNumber(value) : value;
  }
  return call(term.fn, term.args, row, scope);
}

/** Digits behind the point of all of a term's values. */
export function scaleOf(term: Expression, scope: ExpressionScope): number {
  if ("column" in term) return columnOf(scope.table, term.column).decimals;
  if ("integer" in term) return 0;
  if ("decimal" in term) return readNumber(term.decimal).scale;
  if ("value" in term) return typeof term.value === "number" ? readNumber(term.value).scale : 0;
  const scales = term.args.map((arg) => scaleOf(arg, scope));
  const [first = 0, second = 0] = scales;
  switch (term.fn) {
    case "+":
    case "-":
    case "%":
    case "least":
    case "greatest":
    case "coalesce":
      return Math.max(...scales);
    case "case":
      return Math.max(...scales.filter((_, i) => i % 2 === 1 || i === scales.length - 1));
    case "*":
      return Math.min(first + second, Math.max(6, first, second));
    case "/":
      return first === 0 && second === 0 ? 0 : Math.max(6, first);
    case "negate":
    case "abs":
    case "nullif":
      return first;
    case "round": {
      const [, digits] = term.args;
      return Math.min(first, digits !== undefined && "value" in digits ? Number(digits.value) : 0);
    }
    default:
      return 0;
  }
}

function readNumber(value: number | string): Scaled {
  const [whole = "", fraction = ""] = String(value).split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function call(
  fn: ExpressionFn,
  args: readonly Expression[],
  row: OracleRow,
  scope: ExpressionScope,
): Value {
  const value = (term: Expression): Value => evaluateNaively(term, row, scope);
  const scale = scaleOf({ fn, args }, scope);
  const widened = (one: Value): Value =>
    isScaled(one) ? checked(one.digits * 10n ** BigInt(scale - one.scale), scale) : one;
  switch (fn) {
    case "and":
    case "or": {
      const decides = fn === "or";
      const parts = args.map(value);
      return parts.includes(decides) ? decides : parts.includes(null) ? null : !decides;
    }
    case "case": {
      for (let i = 0; i + 1 < args.length; i += 2) {
        if (value(args[i]!) === true) return widened(value(args[i + 1]!));
      }
      return args.length % 2 === 1 ? widened(value(args.at(-1)!)) : null;
    }
    case "coalesce":
      return widened(args.map(value).find((one) => one !== null) ?? null);
    case "nullif": {
      const [left, right] = args.map(value) as [Value, Value];
      return left !== null && right !== null && compare(left, right) === 0 ? null : left;
    }
    case "is missing":
      return value(args[0]!) === null;
    case "is present":
      return value(args[0]!) !== null;
    case "in": {
      const [wanted, ...others] = args.map(value);
      if (wanted === null || wanted === undefined) return null;
      if (others.some((one) => one !== null && compare(wanted, one) === 0)) return true;
      return others.includes(null) ? null : false;
    }
  }
  const isExtreme = fn === "least" || fn === "greatest";
  const values = args.map(value).filter((one) => one !== null || !isExtreme);
  if (values.length === 0 || values.includes(null)) return null;
  if (values.every(isScaled)) return numeric(fn, values, scale, scope);
  return textual(fn, values as readonly Exclude<Value, null>[], scope);
}

function numeric(
  fn: ExpressionFn,
  values: readonly Scaled[],
  scale: number,
  scope: ExpressionScope,
): Value {
  const [a, b] = values as [Scaled, Scaled];
  const at = (one: Scaled): bigint => {
    const { digits } = checked(one.digits * 10n ** BigInt(scale - one.scale), scale);
    return digits;
  };
  switch (fn) {
    case "+":
      return checked(at(a) + at(b), scale);
    case "-":
      return checked(at(a) - at(b), scale);
    case "*":
      return checked((a.digits * b.digits) / 10n ** BigInt(a.scale + b.scale - scale), scale);
    case "/":
      if (b.digits === 0n) return null;
      return checked((a.digits * 10n ** BigInt(scale - a.scale + b.scale)) / b.digits, scale);
    case "%":
      return b.digits === 0n ? null : { digits: at(a) % at(b), scale };
    case "negate":
      return checked(-a.digits, scale);
    case "abs":
      return checked(a.digits < 0n ? -a.digits : a.digits, scale);
    case "floor":
    case "ceil":
    case "round": {
      // Doubles of their texts would do, if these numbers were small.
      const unit = 10n ** BigInt(a.scale - scale);
      const below = a.digits - (((a.digits % unit) + unit) % unit);
      const above = below === a.digits ? below : below + unit;
      if (fn === "floor") return { digits: below / unit, scale };
      if (fn === "ceil") return { digits: above / unit, scale };
      const [toBelow, toAbove] = [a.digits - below, above - a.digits];
      const isUp = toAbove < toBelow || (toAbove === toBelow && a.digits > 0n);
      return { digits: (isUp ? above : below) / unit, scale };
    }
    case "least":
    case "greatest": {
      const sorted = values.map(at).sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
      return { digits: (fn === "least" ? sorted[0] : sorted.at(-1))!, scale };
    }
    case "to_int":
      return { digits: a.digits / 10n ** BigInt(a.scale), scale: 0 };
    case "to_string":
      return printScaled(a.digits, a.scale);
    default:
      return textual(fn, values, scope);
  }
}

function textual(
  fn: ExpressionFn,
  values: readonly Exclude<Value, null>[],
  scope: ExpressionScope,
): Value {
  const [first, second, third] = values as [Value, Value, Value];
  const [text, part, by] = [first, second, third].map(String) as [string, string, string];
  const whole = (digits: number): Scaled => ({ digits: BigInt(digits), scale: 0 });
  switch (fn) {
    case "=":
      return compare(first, second) === 0;
    case "!=":
      return compare(first, second) !== 0;
    case "<":
      return compare(first, second) < 0;
    case "<=":
      return compare(first, second) <= 0;
    case ">":
      return compare(first, second) > 0;
    case ">=":
      return compare(first, second) >= 0;
    case "not":
      return first !== true;
    case "contains":
      return text.includes(part);
    case "starts_with":
      return text.startsWith(part);
    case "ends_with":
      return text.endsWith(part);
    case "~":
      return RE2JS.compile(part).test(text);
    case "length":
      return whole(Array.isArray(first) ? first.length : [...text].length);
    case "lower":
      return text.toLowerCase();
    case "upper":
      return text.toUpperCase();
    case "pattern":
      return naivePattern(text);
    case "trim":
      return text.replace(/^ +/, "").replace(/ +$/, "");
    case "replace":
      return part === "" ? text : text.split(part).join(by);
    case "concat":
      return values.map(printedOf).join("");
    case "substr": {
      const from = Number((second as Scaled).digits);
      const count =
        third === undefined ? Number.POSITIVE_INFINITY : Number((third as Scaled).digits);
      return [...text].filter((_, i) => i + 1 >= from && i + 1 < from + count).join("");
    }
    case "to_string":
      return text;
    case "to_int":
      return readIntegerOf(text.trim());
    case "extract":
      return whole(
        partOf(text as TimePart, localOf(Number((second as Scaled).digits), scope.timeZone)),
      );
    default:
      throw new Error(`the oracle does not know ${fn}`);
  }
}

/** A number as its digits: of a span in which all texts are numbers, the column is one. */
const printedOf = (value: Exclude<Value, null>): string =>
  isScaled(value) ? printScaled(value.digits, value.scale) : String(value);

/** As JavaScript reads numbers, but for 0x1f, Infinity and the like. */
function readIntegerOf(text: string): Value {
  const value = /^[\d.+-][\d.e+-]*$/i.test(text) ? Math.trunc(Number(text)) : Number.NaN;
  return Number.isSafeInteger(value) ? { digits: BigInt(value), scale: 0 } : null;
}

function partOf(part: TimePart, localMs: number): number {
  const date = new Date(localMs);
  const day = date.getUTCDay() === 0 ? 7 : date.getUTCDay();
  switch (part) {
    case "year":
      return date.getUTCFullYear();
    case "quarter":
      return Math.ceil((date.getUTCMonth() + 1) / 3);
    case "month":
      return date.getUTCMonth() + 1;
    case "day":
      return date.getUTCDate();
    case "dayOfWeek":
      return day;
    case "hour":
      return date.getUTCHours();
    case "minute":
      return date.getUTCMinutes();
    case "second":
      return date.getUTCSeconds();
    case "week": {
      // The week's Thursday is in the week's year.
      const thursday = new Date(localMs + (4 - day) * 86_400_000);
      const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
      return Math.floor((thursday.getTime() - first) / (7 * 86_400_000)) + 1;
    }
  }
}

function compare(a: Value, b: Value): number {
  if (isScaled(a) && isScaled(b)) {
    const scale = Math.max(a.scale, b.scale);
    const left = a.digits * 10n ** BigInt(scale - a.scale);
    const right = b.digits * 10n ** BigInt(scale - b.scale);
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return compareCodePoints(String(a), String(b));
}

function isScaled(value: Value | undefined): value is Scaled {
  return typeof value === "object" && value !== null && "digits" in value;
}

function checked(digits: bigint, scale: number): Scaled {
  if (BigInt.asIntN(64, digits) !== digits) throw new NaiveOverflow();
  return { digits, scale };
}
