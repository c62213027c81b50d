import type { SampleAnswer, SampleRow } from "../naive/naiveSample.js";
import type { Answer, Cell } from "../query/answer.js";
import { compareRows, missing } from "../query/answer.js";

type Values = readonly Cell["value"][];

/**
 * What is wrong with an engine's rows (already cut to the limit), or null. Rows are paired by key; each must
 * stand where the oracle puts it or where a row stands whose order values are equal within their tolerance.
 */
export function answerDifference(expected: Answer, rows: readonly Values[]): string | null {
  const wanted = expected.rows.slice(0, expected.limit);
  if (wanted.length !== rows.length) {
    const extra = `first expected: ${show(wanted[0])}; first found: ${show(rows[0])}`;
    return `${rows.length} rows, expected ${wanted.length}; ${extra}`;
  }
  const byKey = rowsByKey(expected);
  const seen = new Set<string>();
  const isSketched = isOrderedBySketch(expected);
  for (const [rowIndex, row] of rows.entries()) {
    const key = keyText(row, expected);
    if (seen.has(key)) return `the group ${key} comes twice`;
    seen.add(key);
    const same = byKey.get(key);
    if (same === undefined) return `row ${rowIndex} is a group the oracle lacks: ${show(row)}`;
    const difference =
      cellsDifference(expected, same, row) ??
      (isSketched ? null : placeDifference(expected, same, wanted[rowIndex] ?? [], rowIndex));
    if (difference !== null) return difference;
  }
  return isSketched ? sketchedOrderDifference(expected, rows) : null;
}

/** Whether what sketches tell decides the order. */
function isOrderedBySketch({ order, rows }: Answer): boolean {
  const isSketched = ({ value, within }: Cell = missing): boolean =>
    within > 1e-6 * Math.abs(Number(value));
  return order.some(({ columnIndex }) => rows.some((row) => isSketched(row[columnIndex])));
}

/**
 * A row that a sketch puts elsewhere than the oracle moves all rows between: instead of at the oracle's places they
 * stand in the order of their own values, and none is cut that surely comes before the last one.
 */
function sketchedOrderDifference(expected: Answer, rows: readonly Values[]): string | null {
  const left = new Map(rowsByKey(expected));
  const found = rows.map((row) => {
    const key = keyText(row, expected);
    const same = left.get(key) ?? [];
    left.delete(key);
    return same.map(
      (cell, i): Cell =>
        i < expected.columns.length ? { value: row[i] ?? null, within: cell.within } : cell,
    );
  });
  const at = found.findIndex(
    (row, i) => i > 0 && compareRows(found[i - 1]!, row, expected.order) > 0,
  );
  if (at >= 0) return `row ${at} should stand before the one above: ${show(rows[at])}`;
  const last = found.at(-1);
  const cut = [...left.values()].find((row) => last && isSurelyBefore(expected, row, last));
  return cut === undefined ? null : `cut is ${show(valuesOf(cut))}, left ${show(rows.at(-1))}`;
}

function isSurelyBefore({ order }: Answer, a: readonly Cell[], b: readonly Cell[]): boolean {
  for (const one of order) {
    const [x, y] = [a[one.columnIndex] ?? missing, b[one.columnIndex] ?? missing];
    const within = x.within + y.within;
    if (!agrees({ value: x.value, within }, y.value)) return compareRows(a, b, [one]) < 0;
    if (within > 0) return false;
  }
  return false;
}

/** For rows that a cut by the leaves or a choice between near equals left: each is one of the oracle's, with its values. */
export function someRowsDifference(expected: Answer, rows: readonly Values[]): string | null {
  const byKey = rowsByKey(expected);
  if (rows.length > expected.limit) return `${rows.length} rows, limit ${expected.limit}`;
  for (const row of rows) {
    const same = byKey.get(keyText(row, expected));
    if (same === undefined) return `a group the oracle lacks: ${show(row)}`;
    const difference = cellsDifference(expected, same, row);
    if (difference !== null) return difference;
  }
  return null;
}

function cellsDifference(expected: Answer, wanted: readonly Cell[], row: Values): string | null {
  for (const [index, cell] of wanted.slice(0, expected.columns.length).entries()) {
    const value = row[index] ?? null;
    // It is missing where the base beside it is 0, and nowhere else.
    const isOfZero = cell.mayMiss === true && value === null && Number(row[index - 2]) === 0;
    if (!isOfZero && !agrees(cell, value)) {
      const name = expected.columns[index]?.name;
      const tolerance = cell.within === 0 ? "" : ` ± ${cell.within}`;
      return `${name} is ${show(value)}, expected ${show(cell.value)}${tolerance} in the row ${show(valuesOf(wanted))}`;
    }
  }
  return null;
}

function agrees(cell: Cell, value: Cell["value"]): boolean {
  if (cell.value === null || value === null) return cell.value === value;
  if (typeof cell.value === "bigint" && typeof value === "bigint") {
    const distance = cell.value - value;
    return distance === 0n || Math.abs(Number(distance)) <= cell.within;
  }
  if (typeof cell.value === "number" || typeof value === "number") {
    if (typeof cell.value === "string" || typeof value === "string") return false;
    return Math.abs(Number(cell.value) - Number(value)) <= cell.within;
  }
  return JSON.stringify(cell.value) === JSON.stringify(value);
}

function placeDifference(
  expected: Answer,
  found: readonly Cell[],
  wanted: readonly Cell[],
  rowIndex: number,
): string | null {
  for (const { columnIndex } of expected.order) {
    const [a, b] = [found[columnIndex] ?? missing, wanted[columnIndex] ?? missing];
    const within = a.within + b.within;
    if (!agrees({ value: a.value, within }, b.value)) {
      return `row ${rowIndex} should be ${show(valuesOf(wanted))}, found ${show(valuesOf(found))}`;
    }
    // Near, and not exact: either may come first. A sketch may even tell equal values apart.
    if (within > 0 && (a.value !== b.value || within > 1e-6 * Math.abs(Number(a.value))))
      return null;
    if (isOtherDifference(expected, columnIndex, found, wanted)) return null;
  }
  return null;
}

/** Whether a column holds differences of floats, and these are equal by what is left of other numbers: rounded otherwise, they are not. */
function isOtherDifference(
  { columns }: Answer,
  columnIndex: number,
  found: readonly Cell[],
  wanted: readonly Cell[],
): boolean {
  const name = columns[columnIndex]?.name ?? "";
  const main = columns.findIndex((column) => name.startsWith(`${column.name}.delta`));
  if (main < 0 || typeof found[main]?.value !== "number") return false;
  return found[main].value !== wanted[main]?.value;
}

/** Raw rows: the right number, in order of time, and where the limit cuts rows of one time, any of them. */
export function sampleDifference(
  expected: SampleAnswer,
  rows: readonly SampleRow[],
): string | null {
  const sign = expected.newestFirst ? -1 : 1;
  const sorted = [...expected.rows].sort((a, b) => sign * (a.timeMs - b.timeMs));
  const wanted = sorted.slice(0, expected.limit);
  if (rows.length !== wanted.length) return `${rows.length} raw rows, expected ${wanted.length}`;
  const left = new Map<string, number>();
  const foundMs = new Set(rows.map(({ timeMs }) => timeMs));
  for (const row of expected.rows) {
    if (foundMs.has(row.timeMs)) left.set(show(row), (left.get(show(row)) ?? 0) + 1);
  }
  for (const [index, row] of rows.entries()) {
    if (row.timeMs !== wanted[index]?.timeMs) {
      return `raw row ${index} is of ${row.timeMs}, expected ${wanted[index]?.timeMs}`;
    }
    const count = left.get(show(row)) ?? 0;
    if (count === 0) return `raw row ${index} is not (so often) in the table: ${show(row)}`;
    left.set(show(row), count - 1);
  }
  return null;
}

type RowsByKey = ReadonlyMap<string, readonly Cell[]>;

const knownRows = new WeakMap<Answer, RowsByKey>();

/** Of an answer that several clusters are compared with: read once. */
function rowsByKey(answer: Answer): RowsByKey {
  const known =
    knownRows.get(answer) ??
    new Map(answer.rows.map((row) => [keyText(valuesOf(row), answer), row]));
  knownRows.set(answer, known);
  return known;
}

function keyText(row: Values, { keyCount }: Answer): string {
  let text = "";
  for (let i = 0; i < keyCount; i++) {
    const key = row[i];
    text += typeof key === "bigint" ? `${key}n,` : `${JSON.stringify(key)},`;
  }
  return text;
}

function valuesOf(row: readonly Cell[]): Values {
  return row.map((cell) => cell.value);
}

function show(value: unknown): string {
  return String(JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v)));
}
