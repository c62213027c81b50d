/** Includes both ends. */
export type TimeSpan = readonly [firstMs: number, lastMs: number];
