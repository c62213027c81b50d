/** How many colours the tokens define (`--series-0` …). */
export const toneCount = 10;

/** Symbols distinguish names with the same tone: on their lines and as the shape of their swatches. */
export type HueSymbol = "none" | "diamond" | "triangle";

const symbols: readonly HueSymbol[] = ["none", "diamond", "triangle"];

/** A hue is a tone and a symbol: first all tones without one, then all with the next symbol. */
const hueCount = toneCount * symbols.length;

/** The last hue: for groups that have no name of their own. */
export const otherHue = hueCount;

export const symbolOf = (hue: number): HueSymbol => symbols[Math.floor(hue / toneCount)] ?? "none";

/** The token of its colour. */
export const tokenOf = (hue: number): string =>
  hue === otherHue ? "series-other" : `series-${hue % toneCount}`;

/** Its colour in CSS. */
export const colorOfHue = (hue: number): string => `var(--${tokenOf(hue)})`;

/** The hues of names, the same in all views. */
export interface ColorBook {
  /** Hues of these names, in their order. Two names on one chart share a hue only when there are more names than hues. */
  huesOf(names: readonly string[]): number[];
}

export interface RememberingBook extends ColorBook {
  /** Stores nothing: the names of a partial result are arbitrary. */
  readonly passing: ColorBook;
}

/**
 * A name has the tone of its hash, or the next tone that is free among the names shown with it. `moved` contains
 * the hues that differ from the hash, from an address; `onMove` is called with all of them when one is added.
 */
export function createColorBook(
  moved: ReadonlyMap<string, number> = new Map(),
  onMove: (moved: ReadonlyMap<string, number>) => void = () => {},
): RememberingBook {
  const known = new Map([...moved].filter(([, hue]) => hue < hueCount));
  const hueOf = (name: string): number => known.get(name) ?? hueOfName(name);
  // A moved name keeps its hue, and a new name takes no used hue.
  const rankOf = (name: string): number => {
    if (!known.has(name)) return 2;
    return hueOf(name) === hueOfName(name) ? 1 : 0;
  };
  const learn = (hues: ReadonlyMap<string, number>): void => {
    const hasMoved = [...hues].some(([name, hue]) => hue !== hueOf(name));
    for (const [name, hue] of hues) known.set(name, hue);
    if (hasMoved) onMove(movedOf(known));
  };
  const assign = (names: readonly string[]): ReadonlyMap<string, number> => {
    // In the order of names, so that the same names get the same hues whatever their rank is.
    const order = [...new Set(names)].sort().sort((a, b) => rankOf(a) - rankOf(b));
    const hues = new Map<string, number>();
    const taken = new Set<number>();
    for (const name of order) {
      const hue = freeHue(hueOf(name), taken);
      hues.set(name, hue);
      taken.add(hue);
    }
    return hues;
  };
  const inOrder = (names: readonly string[], hues: ReadonlyMap<string, number>): number[] =>
    names.map((name) => hues.get(name) ?? hueOf(name));
  return {
    huesOf(names) {
      const hues = assign(names);
      learn(hues);
      return inOrder(names, hues);
    },
    passing: { huesOf: (names) => inOrder(names, assign(names)) },
  };
}

function movedOf(known: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...known].filter(([name, hue]) => hue !== hueOfName(name)));
}

/** The hue by hash alone, for charts with too many names to store. */
export const hueOfName = (name: string): number => hashOf(name) % toneCount;

/** FNV-1a with a final mix, so that similar names get different hashes. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

/** The next tone that is free, then the same tones with a symbol. */
function freeHue(home: number, taken: ReadonlySet<number>): number {
  for (let step = 0; step < hueCount; step++) {
    const symbol = (Math.floor(home / toneCount) + Math.floor(step / toneCount)) % symbols.length;
    const hue = symbol * toneCount + ((home + step) % toneCount);
    if (!taken.has(hue)) return hue;
  }
  return home;
}
