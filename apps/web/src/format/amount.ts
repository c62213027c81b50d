/** The factor of each written unit to a column's unit, largest first. */
const durations = { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1_000, ms: 1, us: 1e-3, ns: 1e-6 };
const bytes = { TiB: 2 ** 40, GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10, B: 1 };
const plain = { G: 1e9, M: 1e6, k: 1e3 };

const spellings: Readonly<Record<string, string>> = { µs: "us", m: "min" };

interface WrittenUnits {
  readonly units: Readonly<Record<string, number>>;
  /** The unit must be written: 250 alone could be ms or µs. */
  readonly isNeeded: boolean;
}

function unitsOf(unit: string | undefined): WrittenUnits {
  const own = unit === undefined ? undefined : (durations as Record<string, number>)[unit];
  if (own !== undefined) {
    const units = Object.entries(durations).map(([name, ms]) => [name, ms / own]);
    return { units: Object.fromEntries(units), isNeeded: true };
  }
  if (unit === "bytes") return { units: bytes, isNeeded: true };
  if (unit === "percent") return { units: { "%": 1 }, isNeeded: false };
  return unit === "times"
    ? { units: { "×": 1, x: 1 }, isNeeded: false }
    : { units: plain, isNeeded: false };
}

/** `250ms` for a column of microseconds → 250,000; null: not an amount of the unit. */
export function parseAmount(text: string, unit: string | undefined): number | null {
  const [, digits, written = ""] =
    /^([-−+]?\d*\.?\d+(?:e[-+]?\d+)?)\s*(\S*)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits.replace("−", "-"));
  if (!Number.isFinite(number)) return null;
  const { units, isNeeded } = unitsOf(unit);
  if (written === "") return isNeeded && number !== 0 ? null : number;
  const factor = Object.hasOwn(units, spellings[written] ?? written)
    ? units[spellings[written] ?? written]
    : undefined;
  return factor === undefined ? null : rounded(number * factor);
}

/** The shortest text without a leading 0 that parses to the same amount: 250,000 µs → `250ms`. */
export function printAmount(value: number, unit: string | undefined): string {
  if (value === 0) return "0";
  const { units, isNeeded } = unitsOf(unit);
  const wholes = Object.entries(units).filter(([, factor]) => Math.abs(value) >= factor);
  const last = Object.entries(units).slice(-1);
  const texts = (wholes.length > 0 ? wholes : last).map(
    ([name, factor]) => `${rounded(value / factor)}${name}`,
  );
  const exact = [...(isNeeded ? [] : [String(value)]), ...texts].filter(
    (text) => parseAmount(text, unit) === value,
  );
  return exact.reduce(
    (best, text) => (text.length < best.length ? text : best),
    exact[0] ?? String(value),
  );
}

/** An example of an amount, such as `250ms`. */
export function amountExample(unit: string | undefined): string {
  if (unit === "bytes") return "1MiB";
  if (unit === "percent") return "50";
  if (unit === "times") return "1.5";
  return unit !== undefined && Object.hasOwn(durations, unit) ? "250ms" : "1000";
}

/** Rounds away the binary error of decimals such as thousandths of units. */
const rounded = (value: number): number => Number(value.toPrecision(15));
