import type { ResultType, ResultValue } from "@hadal/sdk";
import { shortest } from "./extremeState.js";
import type { KeyColumn } from "./partialResult.js";
import { textOfGroup } from "./stringKeys.js";

/** Digits that a double surely keeps. */
const safeDigits = 15;
const safeScaledMax = 10 ** safeDigits;

/** An integer with `decimals` digits behind the point: a number where a double is it and shows it digit by digit, else decimal text. */
export function decimalCell(scaled: number | bigint, decimals: number): number | string {
  const near = Number(scaled);
  if (Math.abs(near) < safeScaledMax) return near / 10 ** decimals;
  const text = exactText(BigInt(scaled), decimals);
  const significant = text.replace(/[-.]/g, "").replace(/^0+|0+$/g, "").length;
  // Beyond 2^53 a double prints the digits it was made of, but is another number.
  return significant <= safeDigits && Number.isSafeInteger(Math.trunc(Number(text)))
    ? Number(text)
    : text;
}

/** The same digit by digit. */
export function exactText(scaled: bigint, decimals: number): string {
  const sign = scaled < 0n ? "-" : "";
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** Digits that go are cut off toward zero. */
export function rescale(value: bigint, from: number, to: number): bigint {
  return to >= from ? value * 10n ** BigInt(to - from) : value / 10n ** BigInt(from - to);
}

/** A finished number as its column's type shows it. */
export function numberCell(
  value: number | bigint | null,
  type: ResultType,
  decimals: number,
): ResultValue {
  if (value === null) return null;
  if (type === "decimal") return decimalCell(value, decimals);
  return typeof value === "bigint" ? shortest(value) : value;
}

/** The key of one group. Time buckets show their start. */
export function keyCell(
  key: KeyColumn,
  group: number,
  column: { readonly type: ResultType; readonly decimals: number },
  edgesMs: readonly number[],
): ResultValue {
  switch (key.kind) {
    case "bucket":
      return edgesMs[key.indexes[group]!]!;
    case "string": {
      const text = textOfGroup(key, group);
      if (text === null) return null;
      const isList = column.type === "set" || column.type === "vector";
      return isList ? (JSON.parse(text) as readonly string[]) : text;
    }
    case "int":
      if (key.present[group] === 0) return null;
      return numberCell(key.values[group]!, column.type, column.decimals);
  }
}
