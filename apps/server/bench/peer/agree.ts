import type { Result } from "@hadal/sdk";
import type { ComparedColumn } from "../query/benchQuery.js";

type Row = readonly unknown[];

export interface Comparison {
  readonly columns: readonly ComparedColumn[];
  /** Rows that are equal in this column may come in any order, and the query's limit may cut them anywhere. */
  readonly tiedBy?: string;
  readonly query: { readonly limit?: number };
  /** The answer as rows of these columns, where it is not such a table already. */
  readonly rowsOf?: (result: Result) => readonly Row[];
}

/** What two answers to one question disagree about, or null. Rows in the same order, columns by name. */
export function disagreement(
  result: Result,
  peerRows: readonly Row[],
  comparison: Comparison,
): string | null {
  const { columns, tiedBy, query } = comparison;
  if (result.completeness.fraction !== 1) return `complete to ${result.completeness.fraction}`;
  const picked = comparison.rowsOf?.(result) ?? pick(result, columns);
  if (picked === null) return "a column is not there";
  if (picked.length !== peerRows.length) return `${picked.length} rows against ${peerRows.length}`;
  const tie = tiedBy === undefined ? -1 : columns.findIndex(({ name }) => name === tiedBy);
  const isCut = picked.length === query.limit;
  const settled = (rows: readonly Row[]) => (tie < 0 ? rows : settle(rows, tie, isCut));
  const [ours, theirs] = [settled(picked), settled(peerRows)];
  for (const [rowIndex, row] of ours.entries()) {
    for (const [position, { name, within }] of columns.entries()) {
      const [value, other] = [row[position], theirs[rowIndex]?.[position]];
      if (agrees(value, other, within)) continue;
      return `row ${rowIndex}: ${name} is ${String(value)} against ${String(other)}`;
    }
  }
  return null;
}

/** The columns by name, in the peers' order; null when one is not there. */
function pick(result: Result, columns: readonly ComparedColumn[]): Row[] | null {
  const places = columns.map(({ name }) => result.columns.findIndex((each) => each.name === name));
  return places.includes(-1) ? null : result.rows.map((row) => places.map((place) => row[place]));
}

/** Orders rows that tie by all they hold. Of the last where the limit cut, only what they tie in is determined. */
function settle(rows: readonly Row[], tie: number, isCut: boolean): Row[] {
  const last = isCut ? String(rows.at(-1)?.[tie]) : null;
  const out: Row[] = [];
  for (let start = 0; start < rows.length; ) {
    const key = String(rows[start]?.[tie]);
    let end = start + 1;
    while (end < rows.length && String(rows[end]?.[tie]) === key) end++;
    const tied = rows.slice(start, end);
    if (key === last) out.push(...tied.map((row) => row.map((cell, i) => (i === tie ? cell : ""))));
    else out.push(...tied.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)));
    start = end;
  }
  return out;
}

/** Exact values are compared as text: a BigInt and a number that are one value print alike. */
function agrees(ours: unknown, theirs: unknown, within: number): boolean {
  if (within === 0) return String(ours) === String(theirs);
  const [a, b] = [Number(ours), Number(theirs)];
  return Math.abs(a - b) <= within * Math.abs(b);
}
