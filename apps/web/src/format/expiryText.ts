/** `in 3 d`, `ended`; null: `never`. */
export function expiryText(expiresMs: number | null, nowMs: number): string {
  if (expiresMs === null) return "never";
  const leftMs = expiresMs - nowMs;
  if (leftMs <= 0) return "ended";
  const hours = leftMs / 3_600_000;
  if (hours < 1) return "within the hour";
  return hours < 48 ? `in ${Math.round(hours)} h` : `in ${Math.round(hours / 24)} d`;
}
