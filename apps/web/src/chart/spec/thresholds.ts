/** There are no more colours that differ clearly. */
const thresholdsMax = 6;

const plainNumber = (text: string): number | null =>
  text !== "" && Number.isFinite(Number(text)) ? Number(text) : null;

/** `100, 500` → ascending bounds between levels; null: no such text. `read`: one of them. */
export function readThresholds(text: string, read = plainNumber): number[] | null {
  const parts = text.split(",").map((part) => read(part.trim()));
  const numbers = parts.filter((number) => number !== null);
  if (numbers.length < parts.length || numbers.length > thresholdsMax) return null;
  return numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0)) ? numbers : null;
}
