/** A short name for an address of the page. The same address always has the same. */
export interface ShortLink {
  readonly id: string;
  /** Path and query string, such as `/explore?v=1&table=visits`. */
  readonly path: string;
  readonly savedMs: number;
}

/** 5,000 values of a filter in an address. */
export const linkPathMax = 32_768;
