import type { ResultColumn, ResultRow, ResultValue } from "@hadal/sdk";

/** The severity of a value, as a token of the theme. */
export type Tone = "bad" | "warn" | "accent" | "quiet";

const tonesOfLevels: readonly (readonly [Tone, readonly string[]])[] = [
  ["bad", "error err e severe critical crit fatal f alert emergency emerg panic".split(" ")],
  ["warn", "warning warn w".split(" ")],
  ["accent", "info information informational notice i n".split(" ")],
  ["quiet", "debug trace verbose fine finer finest d t v".split(" ")],
];

const toneOfLevel: ReadonlyMap<string, Tone> = new Map(
  tonesOfLevels.flatMap(([tone, words]) => words.map((word) => [word, tone] as const)),
);

/** The severity of a log level or an HTTP status; null: none, or a success. */
export function toneOf(value: ResultValue, column: ResultColumn): Tone | null {
  const { name, type } = column;
  if (isLevelColumn(column)) {
    return toneOfLevel.get(String(value).toLowerCase()) ?? null;
  }
  if (type !== "int" || value === null) return null;
  if (isStatus.test(name)) return toneOfStatus(Number(value));
  return isSeverityNumber.test(name) ? toneOfSeverity(Number(value)) : null;
}

/** By the row's level, else by the first value with a severity; null: none has. */
export function toneOfRow(
  columns: readonly { readonly column: ResultColumn; readonly index: number }[],
  row: ResultRow,
): Tone | null {
  const levels = columns.filter(({ column }) => isLevelColumn(column));
  const tones = [...levels, ...columns].map(({ column, index }) =>
    toneOf(row[index] ?? null, column),
  );
  return tones.find((tone) => tone !== null) ?? null;
}

export const isLevelColumn = ({ name, type }: ResultColumn): boolean =>
  type === "string" && isLevel.test(name);

const isLevel = /(^|[._])(log_?level|level|lvl|severity|severity_text)$/i;
const isStatus = /(^|[._])(http_?)?status(_?code)?$/i;
const isSeverityNumber = /(^|[._])severity_?number$/i;

function toneOfStatus(status: number): Tone | null {
  if (status >= 500 && status <= 599) return "bad";
  return status >= 400 && status <= 499 ? "warn" : null;
}

/** OpenTelemetry's severity numbers, four of each kind. */
function toneOfSeverity(severity: number): Tone | null {
  const tones: readonly Tone[] = ["quiet", "quiet", "accent", "warn", "bad", "bad"];
  return tones[Math.ceil(severity / 4) - 1] ?? null;
}
