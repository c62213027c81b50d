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

/** A number where it is exact. */
export function shortest(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
