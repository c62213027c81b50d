/** A number of a result: exact integers beyond 2^53 are BigInt, exact decimals may be text. */
export type Numeric = number | bigint | string;

const steps = [
  { from: 1e18, suffix: "E" },
  { from: 1e15, suffix: "P" },
  { from: 1e12, suffix: "T" },
  { from: 1e9, suffix: "G" },
  { from: 1e6, suffix: "M" },
  { from: 1e3, suffix: "k" },
] as const;

/** `12.4 k`, `1.3 M`, `0.042`: three significant digits. */
export function formatCompact(value: Numeric): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return String(value);
  const size = Math.abs(number);
  // 999.5 k would round to "1000 k": it belongs to the next step.
  const step = steps.find((candidate) => size >= candidate.from * 0.9995);
  if (step === undefined) return formatSmall(number);
  return `${toThreeDigits(number / step.from)} ${step.suffix}`;
}

/** Every digit, with thin groups of three: `1 234 567.25`. */
export function formatExact(value: Numeric): string {
  const text = typeof value === "number" ? printNumber(value) : String(value);
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = ""] = match;
  const minus = sign === "" ? "" : "−";
  return `${minus}${whole.replace(/\B(?=(\d{3})+$)/g, "\u202f")}${fraction}`;
}

/** A ratio: `5.2×`; a ratio above 0 is never written as 0. */
export const formatRatio = (ratio: number): string =>
  ratio > 0 && ratio < 0.005 ? "<0.01×" : `${toThreeDigits(ratio)}×`;

/** Three significant digits without a step: `81.2`, `8.12`, `812`. */
export function toThreeDigits(number: number): string {
  const size = Math.abs(number);
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  const text = number.toFixed(digits).replace(/\.0+$|(\.\d*?)0+$/, "$1");
  return withMinus(text);
}

function formatSmall(number: number): string {
  if (Number.isInteger(number)) return withMinus(String(number));
  if (Math.abs(number) >= 1) return toThreeDigits(number);
  const text = number.toPrecision(2);
  return withMinus(text.includes("e") ? text : text.replace(/\.?0+$/, ""));
}

function printNumber(value: number): string {
  if (Number.isInteger(value))
    return Math.abs(value) < 1e21 ? BigInt(value).toString() : `${value}`;
  return String(Number(value.toPrecision(12)));
}

function withMinus(text: string): string {
  if (/^-0(\.0*)?$/.test(text)) return text.slice(1);
  return text.replace(/^-/, "−");
}
