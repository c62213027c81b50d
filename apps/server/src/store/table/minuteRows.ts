const minutesPerHour = 60;

/**
 * Rows per minute of event time, and per hour, so that a range of weeks is added up from a few
 * hundred numbers.
 */
export class MinuteRows {
  readonly #minutes = new Map<number, number>();
  readonly #hours = new Map<number, number>();

  /** Those that have rows. */
  get minutes(): ReadonlyMap<number, number> {
    return this.#minutes;
  }

  /** Minutes are numbered since 1970; fewer rows are a negative number. */
  add(minute: number, rowCount: number): void {
    addTo(this.#minutes, minute, rowCount);
    addTo(this.#hours, Math.floor(minute / minutesPerHour), rowCount);
  }

  /** Rows of the minutes [first, end). */
  count(first: number, end: number): number {
    if (!(end > first)) return 0;
    const firstHour = Math.ceil(first / minutesPerHour);
    const endHour = Math.floor(end / minutesPerHour);
    if (firstHour >= endHour) return sumOf(this.#minutes, first, end);
    return (
      sumOf(this.#minutes, first, firstHour * minutesPerHour) +
      sumOf(this.#hours, firstHour, endHour) +
      sumOf(this.#minutes, endHour * minutesPerHour, end)
    );
  }
}

function addTo(counts: Map<number, number>, at: number, rowCount: number): void {
  const count = (counts.get(at) ?? 0) + rowCount;
  if (count === 0) counts.delete(at);
  else counts.set(at, count);
}

/** The sum over [first, end), by whichever is fewer: its numbers, or those there are. */
function sumOf(counts: ReadonlyMap<number, number>, first: number, end: number): number {
  let sum = 0;
  if (end - first <= counts.size) {
    for (let at = first; at < end; at++) sum += counts.get(at) ?? 0;
    return sum;
  }
  for (const [at, count] of counts) if (at >= first && at < end) sum += count;
  return sum;
}
