/** What times that move with the clock (`-3h`, `-1mo`) are counted from, and by the calendar of which zone. */
export interface QueryClock {
  readonly nowMs: number;
  /** Of the query. */
  readonly timeZone: string;
}
