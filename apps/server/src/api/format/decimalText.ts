/** A decimal cell as text with all of its `decimals` digits: `-1.5` → `-1.500000`. */
export function decimalText(value: number | string, decimals: number): string {
  // A number is the decimal that it prints. Small ones print with an exponent; toFixed writes their digits.
  if (typeof value === "number" && Math.abs(value) < 1e-3) return value.toFixed(decimals);
  const [whole = "", fraction = ""] = String(value).split(".");
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, "0")}`;
}

/** A decimal text of exactly `decimals` digits behind the point, as an integer of its last digit. */
export function scaledDecimal(text: string, decimals: number): bigint {
  const point = text.length - decimals - 1;
  return BigInt(decimals === 0 ? text : text.slice(0, point) + text.slice(point + 1));
}
