/** The direction of each arrow key. */
export const arrowSteps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface Place {
  readonly left: number;
  readonly top: number;
}

/** The index of the nearest place in a direction; null: none. Distance across counts fourfold. */
export function nearestInDirection(
  places: readonly Place[],
  from: Place,
  step: readonly [x: number, y: number],
): number | null {
  let nearest: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  places.forEach((to, index) => {
    const along = step[0] * (to.left - from.left) + step[1] * (to.top - from.top);
    const across = step[0] === 0 ? to.left - from.left : to.top - from.top;
    const distance = along + 4 * Math.abs(across);
    if (along > 1 && distance < least) [nearest, least] = [index, distance];
  });
  return nearest;
}
