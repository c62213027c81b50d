/** How an axis of values is drawn; numbers are in the unit of the measure. */
export interface AxisChoice {
  readonly isLog: boolean;
  /** null: by the values. */
  readonly min: number | null;
  readonly max: number | null;
  readonly thresholds: readonly number[];
}

/** How the two sides of a comparison are drawn; `auto`: by the number of lines. */
export type Versus = "auto" | "overlay" | "difference" | "ratio";

/** Lines chosen in the legend: only these, or all but these. */
export interface ShownLines {
  readonly kind: "only" | "hide";
  /** Of the series. */
  readonly keys: readonly string[];
}

/** The user's options for the lines of a chart over time. */
export interface LineOptions {
  /** By the name of the measure; those without a choice are not in it. */
  readonly axes: ReadonlyMap<string, AxisChoice>;
  /** Buckets of a moving average; 1: none. */
  readonly averageOf: number;
  readonly isBars: boolean;
  readonly versus: Versus;
  /** null: all. */
  readonly shown: ShownLines | null;
}

export const plainAxis: AxisChoice = { isLog: false, min: null, max: null, thresholds: [] };

/** An average over more buckets than a chart has would be empty. */
export const averageMax = 1_000;
/** At most this many threshold lines. */
export const thresholdsMax = 6;

const sides: readonly Versus[] = ["overlay", "difference", "ratio"];

/** Parses a view's options from the address; an invalid text counts as absent. */
export const readLineOptions = (options: Readonly<Record<string, string>>): LineOptions => ({
  axes: readAxes(options.axes ?? ""),
  averageOf: readAverage(options.average ?? "") ?? 1,
  isBars: options.draw === "bars",
  versus: sides.find((one) => one === options.versus) ?? "auto",
  shown: readShown(options.lines ?? ""),
});

/** `5`; null: no such number of buckets. */
export function readAverage(text: string): number | null {
  const count = Number(text);
  return /^\d+$/.test(text) && count >= 2 && count <= averageMax ? count : null;
}

/** `hide ["[\"cart\"]"]` */
export const printShown = ({ kind, keys }: ShownLines): string => `${kind} ${JSON.stringify(keys)}`;

export function readShown(text: string): ShownLines | null {
  const [, kind, list = ""] = /^(only|hide) (.*)$/s.exec(text) ?? [];
  if (kind === undefined) return null;
  const keys = parseJson(list);
  if (!Array.isArray(keys) || keys.length === 0) return null;
  if (!keys.every((key) => typeof key === "string")) return null;
  return { kind: kind === "only" ? "only" : "hide", keys };
}

/** `{"p95_latency_us":{"log":true,"max":250000,"at":[200000]}}`; null: nothing is chosen. */
export function printAxes(axes: LineOptions["axes"]): string | null {
  const entries = [...axes].flatMap(([name, { isLog, min, max, thresholds }]) => {
    const said = {
      ...(isLog && { log: true }),
      ...(min !== null && { min }),
      ...(max !== null && { max }),
      ...(thresholds.length > 0 && { at: thresholds }),
    };
    return Object.keys(said).length === 0 ? [] : [[name, said] as const];
  });
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}

export function readAxes(text: string): LineOptions["axes"] {
  const read = parseJson(text);
  if (!isRecord(read)) return new Map();
  const entries = Object.entries(read).flatMap(([name, said]) =>
    isRecord(said) ? [[name, axisOf(said)] as const] : [],
  );
  return new Map(entries);
}

function axisOf(said: Readonly<Record<string, unknown>>): AxisChoice {
  const [min, max] = [numberOf(said.min), numberOf(said.max)];
  const at = Array.isArray(said.at) ? said.at.flatMap((one) => numberOf(one) ?? []) : [];
  // An axis whose lower end is above its upper end is ignored.
  const isTurned = min !== null && max !== null && min >= max;
  return {
    isLog: said.log === true,
    min: isTurned ? null : min,
    max: isTurned ? null : max,
    thresholds: [...new Set(at)].sort((a, b) => a - b).slice(0, thresholdsMax),
  };
}

const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
