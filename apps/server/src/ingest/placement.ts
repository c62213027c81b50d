import type { LeafTarget } from "./leafTarget.js";

/**
 * The leaf for a batch: of two chosen at random the one with more free memory. Two choices keep leaves nearly as even
 * as asking all of them, and a leaf that is new or empty is not flooded.
 */
export function choosePlacement(
  leaves: readonly LeafTarget[],
  refusedBy: ReadonlySet<string>,
  random: () => number,
): LeafTarget | null {
  const open = leaves.filter(({ id, state }) => state === "alive" && !refusedBy.has(id));
  const first = open[Math.floor(random() * open.length)];
  if (first === undefined) return null;
  const others = open.filter((leaf) => leaf !== first);
  const second = others[Math.floor(random() * others.length)];
  return second !== undefined && second.freeBytes > first.freeBytes ? second : first;
}
