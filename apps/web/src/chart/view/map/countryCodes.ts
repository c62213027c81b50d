import { iso31661 } from "iso-3166";

const englishNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

/** Names that neither the standard nor the browser has, as atlases and people write them. */
const otherNames: readonly (readonly [code: string, name: string])[] = [
  ["GB", "UK"],
  ["GB", "Great Britain"],
  ["US", "America"],
  ["AE", "UAE"],
  ["KR", "Korea"],
  ["CZ", "Czech Republic"],
  ["MK", "Macedonia"],
  ["SZ", "Swaziland"],
  ["MM", "Burma"],
  ["CI", "Ivory Coast"],
  ["TR", "Turkey"],
  ["XK", "Kosovo"],
  ["XK", "XK"],
  ["XK", "XKX"],
];

/** `us`, `usa`, `840`, `united states` … of every country → its two letters. */
const keyOfName: ReadonlyMap<string, string> = new Map(allNames());

/** The two letters of the country that a value names by code or English name; null: none that is known. */
export function countryKeyOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const text = value.trim();
  // No country has a longer name; texts of any length may stand in the column.
  return text.length > 80 ? null : (keyOfName.get(plain(text)) ?? null);
}

/** Its English name. */
export function countryName(key: string): string {
  return englishNames.of(key) ?? key;
}

function* allNames(): Generator<[string, string]> {
  for (const { alpha2, alpha3, numeric, name } of iso31661) {
    yield [plain(name), alpha2];
    yield [plain(countryName(alpha2)), alpha2];
    for (const code of [alpha2, alpha3, numeric]) yield [plain(code), alpha2];
  }
  for (const [code, name] of otherNames) yield [plain(name), code];
}

/** The name without case, accents and punctuation, which distinguish no countries. */
function plain(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mark}+/gu, "")
    .replace(/[^\p{Letter}\p{Number}]+/gu, " ")
    .replace(/ and /gi, " ")
    .trim()
    .toLowerCase();
}
