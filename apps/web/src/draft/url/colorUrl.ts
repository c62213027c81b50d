import { escapePart, GrammarError, printName, TokenReader } from "../../query/filter/token.js";

/** Names of more would make an address that is too long to send. */
const colorsMax = 12;

/**
 * What follows a printed state: the hues of the values that were given another than their own last. Groups of several
 * columns would fill an address, and lines that are no groups are the same in every answer.
 */
export function printColors(colors: ReadonlyMap<string, number>): string {
  const values = [...colors].flatMap(([key, hue]) => {
    const [text, ...more] = valuesOf(key);
    return typeof text === "string" && more.length === 0 ? [[text, hue] as const] : [];
  });
  return values
    .slice(-colorsMax)
    .map(([text, hue]) => `&color=${escapePart(`${printName(text)}:${hue}`)}`)
    .join("");
}

/** Keys of groups are JSON lists of their values. */
function valuesOf(key: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(key);
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

export function readColor(text: string): [key: string, hue: number] {
  const reader = new TokenReader(text);
  const name = reader.word().text;
  reader.expect(":");
  const hue = reader.word().text;
  reader.end();
  if (!/^\d{1,2}$/.test(hue)) throw new GrammarError(`"${hue}" is no number of a colour`);
  return [JSON.stringify([name]), Number(hue)];
}
