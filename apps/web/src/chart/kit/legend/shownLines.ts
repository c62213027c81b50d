import type { ShownLines } from "./lineOptions.js";

const isShownKey = (shown: ShownLines | null, key: string): boolean =>
  shown === null || shown.keys.includes(key) === (shown.kind === "only");

/**
 * Indexes of the drawn series. If the choice names none of them, as after another query, all are drawn:
 * an empty chart would look like "no rows".
 */
export function shownIndexes(shown: ShownLines | null, keys: readonly string[]): number[] {
  const all = keys.map((_, at) => at);
  const kept = all.filter((at) => isShownKey(shown, keys[at] ?? ""));
  return kept.length === 0 ? all : kept;
}

/** The one line that is shown alone; null: there is none. */
export const isolatedKey = (shown: ShownLines | null): string | null =>
  shown?.kind === "only" && shown.keys.length === 1 ? (shown.keys[0] ?? null) : null;

/** Isolates the line; if it is isolated, shows all lines. */
export const isolated = (shown: ShownLines | null, key: string): ShownLines | null =>
  isolatedKey(shown) === key ? null : { kind: "only", keys: [key] };

/** Hides or shows the line. The last visible line stays visible. */
export function toggled(
  shown: ShownLines | null,
  key: string,
  keys: readonly string[],
): ShownLines | null {
  const drawn = shownIndexes(shown, keys).map((at) => keys[at] ?? "");
  const isDrawn = drawn.includes(key);
  if (isDrawn && drawn.length === 1) return shown;
  const { kind, keys: named } = shown ?? { kind: "hide" as const, keys: [] };
  const isNamed = named.includes(key);
  const next = isNamed ? named.filter((one) => one !== key) : [...named, key];
  return next.length === 0 || (kind === "only" && keys.every((one) => next.includes(one)))
    ? null
    : { kind, keys: next };
}
