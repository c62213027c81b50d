import type { LeafTarget } from "./leafTarget.js";

/** Maximum number of leaves for one body: each writes and syncs its own batch. */
export const leavesPerBodyMax = 8;

/**
 * Chooses the leaf for a whole batch at random, weighted by free memory: so no leaf gets every
 * batch of some minutes, and a full one gets none.
 */
export function choosePlacement(
  leaves: readonly LeafTarget[],
  refusedBy: ReadonlySet<string>,
  random: () => number,
): LeafTarget | null {
  const open = openLeaves(leaves, refusedBy);
  const weights = weightsOf(open);
  let left = random() * sumOf(weights);
  for (const [i, leaf] of open.entries()) {
    left -= weights[i]!;
    if (left < 0) return leaf;
  }
  return open.at(-1) ?? null;
}

/** How many of a body's shares a leaf gets. */
export interface LeafShares {
  readonly leafId: string;
  readonly count: number;
}

/** Deals shares out over leaves by their free memory; leaves that would get none are left out. */
export function dealShares(
  shareCount: number,
  leaves: readonly LeafTarget[],
  random: () => number,
): readonly LeafShares[] {
  const chosen = chooseLeaves(leaves, random);
  const weights = weightsOf(chosen);
  const total = sumOf(weights);
  const exact = weights.map((weight) => (shareCount * weight) / total);
  const counts = exact.map(Math.floor);
  // Leaves are in random order: so the remainder does not always go to the same one.
  const byRemainder = exact.map((_, i) => i).sort((a, b) => (exact[b]! % 1) - (exact[a]! % 1));
  const rest = shareCount - sumOf(counts);
  for (const i of byRemainder.slice(0, rest)) counts[i] = counts[i]! + 1;
  return chosen
    .map(({ id }, i) => ({ leafId: id, count: counts[i]! }))
    .filter(({ count }) => count > 0);
}

/** Leaves that take rows now. */
export function openLeaves(
  leaves: readonly LeafTarget[],
  refusedBy: ReadonlySet<string>,
): LeafTarget[] {
  return leaves.filter(({ id, state }) => state === "alive" && !refusedBy.has(id));
}

/** Several different ones, in random order. */
function chooseLeaves(leaves: readonly LeafTarget[], random: () => number): LeafTarget[] {
  const chosen: LeafTarget[] = [];
  const taken = new Set<string>();
  const withRoom = leaves.filter(({ freeBytes }) => freeBytes > 0);
  const candidates = withRoom.length > 0 ? withRoom : leaves;
  while (chosen.length < leavesPerBodyMax) {
    const leaf = choosePlacement(candidates, taken, random);
    if (leaf === null) break;
    chosen.push(leaf);
    taken.add(leaf.id);
  }
  return chosen;
}

/** Where no leaf has room all are equal: the leaf's own problem explains more. */
function weightsOf(leaves: readonly LeafTarget[]): number[] {
  const weights = leaves.map(({ freeBytes }) => Math.max(0, freeBytes));
  return sumOf(weights) > 0 ? weights : leaves.map(() => 1);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
