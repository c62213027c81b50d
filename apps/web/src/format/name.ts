/** Cuts long names in the middle: both ends tell names apart (`/api/v1/…/items`). */
export function shortenName(name: string, lengthMax: number): string {
  const points = [...name];
  if (points.length <= lengthMax) return name;
  const head = Math.ceil((lengthMax - 1) / 2);
  const tail = lengthMax - 1 - head;
  return `${points.slice(0, head).join("")}…${points.slice(points.length - tail).join("")}`;
}
