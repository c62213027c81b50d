/** More levels than this have no colours that can be told apart. */
const thresholdsMax = 6;

/** `100, 500` → ascending bounds between levels; null: no such text. */
export function readThresholds(text: string): number[] | null {
  const parts = text.split(",").map((part) => part.trim());
  const numbers = parts.map(Number);
  const isRead = parts.every((part, i) => part !== "" && Number.isFinite(numbers[i]));
  if (!isRead || numbers.length > thresholdsMax) return null;
  return numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0)) ? numbers : null;
}
