import type { Cell } from "../query/answer.js";
import { exact, missing } from "../query/answer.js";

/** What a comparison adds to an aggregate: base value, difference, difference in percent of the size of the base. */
export function comparisonCells(main: Cell, base: Cell, decimals: number): readonly Cell[] {
  if (main.value === null || base.value === null) return [base, missing, missing];
  const within = main.within + base.within;
  const delta = difference(main.value, base.value, within);
  const unit = 10 ** decimals;
  const [a, b] = [toNumber(main, unit), toNumber(base, unit)];
  if (b === 0) return [base, delta, missing];
  // The error of the quotient a ÷ b: its own share of both errors, and a little for the rounding of floats.
  const percentWithin =
    (100 * (main.within + Math.abs(a / b) * base.within)) / unitOf(main, unit) / Math.abs(b) +
    (1e-10 * (Math.abs(a) + Math.abs(b))) / Math.abs(b);
  // In this order of steps, which decides between groups of nearly the same percentage.
  const percent = ratio(delta, base, unit) * 100;
  const mayMiss = base.within >= Math.abs(Number(base.value));
  const cell: Cell = { value: percent, within: percentWithin };
  return [base, delta, mayMiss ? { ...cell, mayMiss } : cell];
}

function difference(a: Cell["value"], b: Cell["value"], within: number): Cell {
  if (typeof a === "bigint" && typeof b === "bigint") {
    return within === 0 ? exact(a - b) : { value: a - b, within };
  }
  const [x, y] = [Number(a), Number(b)];
  return { value: x - y, within: within + 1e-12 * (Math.abs(x) + Math.abs(y)) };
}

/** Of integers as they are scaled: what is not divided by its unit is not rounded. */
function ratio(delta: Cell, base: Cell, unit: number): number {
  if (typeof delta.value === "bigint" && typeof base.value === "bigint") {
    return Number(delta.value) / Math.abs(Number(base.value));
  }
  return toNumber(delta, unit) / Math.abs(toNumber(base, unit));
}

function toNumber(cell: Cell, unit: number): number {
  return Number(cell.value) / unitOf(cell, unit);
}

function unitOf(cell: Cell, unit: number): number {
  return typeof cell.value === "bigint" ? unit : 1;
}
