import type { Growth } from "./rowPlaces.js";

/** From this many rows in one block on, a batch is expected to become large, */
const manyRows = 512;
/** unless it has more columns than this: then few rows fill it. */
const fewColumns = 256;

/** Neighbouring rows that the kernel read at once. */
export interface RowBlock {
  readonly first: number;
  readonly rows: number;
  readonly growth: Growth;
}

/** How columns grow for a block of rows in a batch with `columnCount` columns. */
export const growthFor = (rows: number, columnCount: number): Growth =>
  rows >= manyRows && columnCount <= fewColumns ? "whole" : "step";
