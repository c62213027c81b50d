/** How many hues the tokens define (`--series-0` …). */
export const hueCount = 10;

/** The token behind the hues: of what has no name of its own. */
export const otherHue = 10;

/** Remembers which hue a name has, so that it keeps it from view to view. */
export interface ColorBook {
  /** Hues of these names, in their order. Two names on one chart share a hue only when there are more names than hues. */
  huesOf(names: readonly string[]): number[];
}

/** Starts with what an earlier book knew; `onLearn` hears of every new name, to be kept for the next. */
export function createColorBook(
  known: Map<string, number> = new Map(),
  onLearn: (known: ReadonlyMap<string, number>) => void = () => {},
): ColorBook {
  return {
    huesOf(names) {
      const taken = new Set<number>();
      // Names that have a hue come first: a newcomer must not take it from them.
      for (const name of names) {
        const hue = known.get(name);
        if (hue !== undefined) taken.add(hue);
      }
      const newcomers = names.filter((name) => !known.has(name));
      // Sorted, so that the same names get the same hues whatever their ranks are.
      for (const name of newcomers.sort()) {
        const hue = freeHue(hashOf(name) % hueCount, taken);
        known.set(name, hue);
        taken.add(hue);
      }
      if (newcomers.length > 0) onLearn(known);
      return separate(names.map((name) => known.get(name) ?? 0));
    },
  };
}

/** The hue that a name has by itself, for charts with more names than a book should learn. */
export const hueOfName = (name: string): number => hashOf(name) % hueCount;

/** FNV-1a with a final mix: names that differ in one letter land apart. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

function freeHue(home: number, taken: ReadonlySet<number>): number {
  for (let step = 0; step < hueCount; step++) {
    const hue = (home + step) % hueCount;
    if (!taken.has(hue)) return hue;
  }
  return home;
}

/** Names that met on different charts before may share a hue here: the later one moves, for this chart only. */
function separate(hues: readonly number[]): number[] {
  const taken = new Set<number>();
  const all = new Set(hues);
  return hues.map((hue) => {
    let mine = hue;
    if (taken.has(hue)) {
      const free = freeHue(hue, new Set([...all, ...taken]));
      mine = taken.size < hueCount ? free : hue;
    }
    taken.add(mine);
    return mine;
  });
}
