/** Digits that a double always keeps. */
const safeDigits = 15;
const safeScaledMax = 10 ** safeDigits;

/** A scaled integer as a number if a double prints exactly these digits, else as decimal text. */
export function decimalCell(scaled: number | bigint, decimals: number): number | string {
  const near = Number(scaled);
  if (Math.abs(near) < safeScaledMax) return near / 10 ** decimals;
  const text = exactText(BigInt(scaled), decimals);
  const significant = text.replace(/[-.]/g, "").replace(/^0+|0+$/g, "").length;
  // Beyond 2^53 a double may print the same digits and still be another number.
  return significant <= safeDigits && Number.isSafeInteger(Math.trunc(Number(text)))
    ? Number(text)
    : text;
}

/** The same as decimal text. */
export function exactText(scaled: bigint, decimals: number): string {
  const sign = scaled < 0n ? "-" : "";
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** Changes the decimals; digits are truncated toward zero. */
export function rescale(value: bigint, from: number, to: number): bigint {
  return to >= from ? value * 10n ** BigInt(to - from) : value / 10n ** BigInt(from - to);
}

/** A number if that is exact, else a bigint. */
export function shortest(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
