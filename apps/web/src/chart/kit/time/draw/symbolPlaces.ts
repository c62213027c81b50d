/** Between two symbols of a line, along the time. */
const everyPx = 56;
export const symbolPx = 8;

/** The points of a line that have its symbol: the first that is known, and each that lies far enough behind the one before. */
export function symbolPlaces(
  xs: readonly number[],
  points: readonly (number | null)[],
  scale = 1,
): number[] {
  const places: number[] = [];
  let lastX = Number.NEGATIVE_INFINITY;
  points.forEach((value, at) => {
    const x = xs[at];
    if (value === null || x === undefined || x - lastX < everyPx * scale) return;
    places.push(at);
    lastX = x;
  });
  return places;
}
