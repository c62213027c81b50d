import type { Result } from "@hadal/sdk";
import type { ComparedColumn } from "./benchQueries.js";

/** What two answers to one question disagree about, or null. Rows in the same order, columns by name. */
export function disagreement(
  result: Result,
  peerRows: readonly (readonly unknown[])[],
  columns: readonly ComparedColumn[],
): string | null {
  if (result.completeness.fraction !== 1) return `complete to ${result.completeness.fraction}`;
  if (result.rows.length !== peerRows.length) {
    return `${result.rows.length} rows against ${peerRows.length}`;
  }
  const places = columns.map(({ name }) => result.columns.findIndex((each) => each.name === name));
  for (const [rowIndex, row] of result.rows.entries()) {
    for (const [position, { name, within }] of columns.entries()) {
      const ours = row[places[position] ?? -1];
      const theirs = peerRows[rowIndex]?.[position];
      if (agrees(ours, theirs, within)) continue;
      return `row ${rowIndex}: ${name} is ${String(ours)} against ${String(theirs)}`;
    }
  }
  return null;
}

function agrees(ours: unknown, theirs: unknown, within: number): boolean {
  if (within === 0) return String(ours) === String(theirs);
  const [a, b] = [Number(ours), Number(theirs)];
  return Math.abs(a - b) <= within * Math.abs(b);
}
