/** Between two symbols of a line, along the time. */
const everyPx = 56;
export const symbolPx = 8;

/** The points of a line with a symbol: the first known one, and each at enough distance from the one before. */
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
