import { type ColorBook, createColorBook, hueCount } from "../../chart/color.js";
import { readerStorage } from "../../ui/browserStorage.js";

const storageKey = "hadal.hues";
/** The newest names: 2,000 of 50 bytes are a fiftieth of what a browser stores for a page. */
const namesMax = 2_000;

/** Hues that survive a reload: a service looks tomorrow as it looks today. */
export function rememberedColors(): ColorBook {
  return createColorBook(readHues(), (known) => {
    readerStorage.setItem(storageKey, JSON.stringify([...known].slice(-namesMax)));
  });
}

function readHues(): Map<string, number> {
  const stored = readerStorage.getItem(storageKey);
  const known = new Map<string, number>();
  if (stored === null) return known;
  for (const entry of parseEntries(stored)) {
    const [name, hue] = Array.isArray(entry) ? entry : [];
    if (typeof name === "string" && Number.isInteger(hue) && hue >= 0 && hue < hueCount) {
      known.set(name, hue);
    }
  }
  return known;
}

/** Anybody may write into the browser's storage: what is no list is none. */
function parseEntries(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
