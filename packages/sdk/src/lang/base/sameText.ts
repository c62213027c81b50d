/** A text that is equal for equal values only: keys in any order, BigInt distinct from text. */
export function sameText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return { bigint: part.toString() };
    if (Object.is(part, -0)) return { negativeZero: true };
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1));
  });
}
