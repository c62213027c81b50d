import { escapePart, GrammarError, printName, TokenReader } from "./token.js";

/** Names of more would make an address that nobody can send on. */
const colorsMax = 12;

/** What follows a printed state: the hues of the groups that were given another than their own last. */
export function printColors(colors: ReadonlyMap<string, number>): string {
  // Lines that are no groups, as those of percentiles, are the same in every answer.
  const newest = [...colors].filter(([key]) => key.startsWith("[")).slice(-colorsMax);
  return newest.map(([key, hue]) => `&color=${escapePart(`${printKey(key)}:${hue}`)}`).join("");
}

/** The key of a group of one text is that text; others are JSON, as keys are. */
function printKey(key: string): string {
  const [text, ...more] = valuesOf(key);
  return printName(
    typeof text === "string" && more.length === 0 && !text.startsWith("[") ? text : key,
  );
}

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
  return [name.startsWith("[") ? name : JSON.stringify([name]), Number(hue)];
}
