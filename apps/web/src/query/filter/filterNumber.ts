import type { ColumnInfo, FilterValue } from "@hadal/sdk";

/** In the smallest unit of their kind. */
const durations: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const sizes: Readonly<Record<string, bigint>> = {
  bytes: 1n,
  b: 1n,
  kb: 1_000n,
  mb: 1_000_000n,
  gb: 1_000_000_000n,
  tb: 1_000_000_000_000n,
  kib: 1n << 10n,
  mib: 1n << 20n,
  gib: 1n << 30n,
  tib: 1n << 40n,
};
/** Suffixes of numbers without a unit: `5k`, `1.5M`. A small m could mean a thousandth. */
const multiples: Readonly<Record<string, bigint>> = {
  ...{ k: 1_000n, K: 1_000n, M: 1_000_000n, G: 1_000_000_000n },
};
const percent: Readonly<Record<string, bigint>> = { "%": 1n, percent: 1n };

/**
 * The typed number in the column's unit: `250ms` for a column of microseconds is 250000, `10MB` of
 * bytes 10000000. Exact; null if it is not a number, does not fit the column or has another kind of
 * unit.
 */
export function readNumber(column: ColumnInfo, text: string): FilterValue | null {
  const match = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?\s*([a-zµ%]*)$/iu.exec(text.trim());
  if (match === null) return null;
  const [, sign = "", whole = "", fraction = "", unit = ""] = match;
  const scale = scaleOf(column.unit, unit);
  if (scale === null) return null;
  const [of, by] = scale;
  // In units of the column's last digit.
  const top = BigInt(whole + fraction) * of * 10n ** BigInt(column.decimals);
  const bottom = by * 10n ** BigInt(fraction.length);
  if (top % bottom !== 0n) return null;
  return toValue(sign, top / bottom, column.decimals);
}

/** What one of the written unit is in the column's, as a fraction; null: they are of different kinds. */
function scaleOf(own: string | undefined, written: string): readonly [bigint, bigint] | null {
  if (written === "") return [1n, 1n];
  const kinds = own === undefined ? [multiples] : [durations, sizes, percent];
  for (const kind of kinds) {
    const by = own === undefined ? 1n : kind[own];
    // Sizes are written in any way, the others as they are: M would be months.
    const name = kind === sizes ? written.toLowerCase() : written;
    const of = Object.hasOwn(kind, name) ? kind[name] : undefined;
    if (of !== undefined && by !== undefined) return [of, by];
  }
  return null;
}

function toValue(sign: string, lastDigits: bigint, decimals: number): FilterValue {
  const digits = lastDigits.toString().padStart(decimals + 1, "0");
  const fraction = decimals === 0 ? "" : digits.slice(-decimals).replace(/0+$/, "");
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
  const text = `${lastDigits === 0n ? "" : sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
  const number = Number(text);
  // Beyond 2^53, and where a double would round, the digits themselves travel.
  const isExact = fraction === "" ? Number.isSafeInteger(number) : text.length < 16;
  return isExact ? number : text;
}
