/** Of a member's requests to others: how many may be under way at once, wait, and were lost (M14). */
export interface WindowCounts {
  readonly size: number;
  readonly waiting: number;
  readonly lost: number;
}
