/** How long ago: `now`, `12 s`, `5 min`, `3 h`, `2 d`. Whole units: a number that flickers is not read. */
export function formatAgo(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 1) return "now";
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
