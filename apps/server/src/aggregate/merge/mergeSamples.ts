import { compareKeys, type OrderKey } from "../../base/row/rowOrder.js";
import { sortSteps } from "../../base/schedule/sortSteps.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { ResolvedSample } from "../../plan/query/resolvedQuery.js";
import type { PartialSample, SampleColumn } from "../partial/partialResult.js";

/** Of each side the newest (oldest) rows of all senders, or the first in another order, a step at a time; rows of one instant stay in the order of their senders. */
export function* mergeSampleSteps(
  samples: readonly PartialSample[],
  resolved: ResolvedSample,
): Steps<PartialSample> {
  const kept = yield* choosePlaces(samples, resolved);
  const { senders, rows } = kept;
  const sides = new Uint8Array(rows.length);
  const times = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const sample = samples[senders[i]!]!;
    sides[i] = sample.sides[rows[i]!]!;
    times[i] = sample.times[rows[i]!]!;
  }
  const columns: SampleColumn[] = [];
  for (const index of resolved.columns.keys()) {
    const parts = samples.map((sample) => sample.columns[index]!);
    columns.push(yield* mergeColumns(parts, kept));
  }
  return { rowCount: rows.length, sides, times, columns };
}

/** Rows of one column that are merged in a fraction of a millisecond. */
const stepRows = 2_048;

/** Where each row of the merged sample comes from. */
interface RowPlaces {
  readonly senders: Uint32Array;
  readonly rows: Uint32Array;
}

function* choosePlaces(
  samples: readonly PartialSample[],
  { newestFirst, limit, orders = [] }: ResolvedSample,
): Steps<RowPlaces> {
  const rowCount = samples.reduce((sum, sample) => sum + sample.rowCount, 0);
  const all = { senders: new Uint32Array(rowCount), rows: new Uint32Array(rowCount) };
  const sides = new Uint8Array(rowCount);
  const times = new Float64Array(rowCount);
  let place = 0;
  for (const [sender, sample] of samples.entries()) {
    sides.set(sample.sides, place);
    times.set(sample.times, place);
    for (let row = 0; row < sample.rowCount; row++, place++) {
      all.senders[place] = sender;
      all.rows[place] = row;
    }
  }
  const sign = newestFirst ? -1 : 1;
  const keys = orders.map(({ columnIndex }) => keysOf(samples, columnIndex, all));
  const compareOrders = (a: number, b: number): number => {
    for (const [i, one] of orders.entries()) {
      const compared = compareKeys(one, keys[i]!(a), keys[i]!(b));
      if (compared !== 0) return compared;
    }
    return 0;
  };
  const asSent = new Uint32Array(rowCount);
  for (let i = 0; i < rowCount; i++) asSent[i] = i;
  const order = yield* sortSteps(
    asSent,
    (a, b) => sides[a]! - sides[b]! || compareOrders(a, b) || sign * (times[a]! - times[b]!),
  );
  const keptOfSide = [0, 0];
  const kept = order.filter((at) => ++keptOfSide[sides[at]!]! <= limit);
  return {
    senders: kept.map((at) => all.senders[at]!),
    rows: kept.map((at) => all.rows[at]!),
  };
}

/** The values of one column that rows are ordered by. */
function keysOf(
  samples: readonly PartialSample[],
  columnIndex: number,
  { senders, rows }: RowPlaces,
): (at: number) => OrderKey {
  return (at) => {
    const column = samples[senders[at]!]!.columns[columnIndex]!;
    const row = rows[at]!;
    if (column.kind === "coded") return column.dictionary[column.codes[row]!] ?? null;
    return column.present[row] === 0 ? null : column.values[row]!;
  };
}

function* mergeColumns(columns: readonly SampleColumn[], places: RowPlaces): Steps<SampleColumn> {
  const [first] = columns;
  if (first === undefined || first.kind === "coded") return yield* mergeCoded(columns, places);
  const { senders, rows } = places;
  const values = new BigInt64Array(rows.length);
  const present = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const column = columns[senders[i]!]!;
    if (column.kind !== "int") throw new Error("senders disagree on the type of a column");
    values[i] = column.values[rows[i]!]!;
    present[i] = column.present[rows[i]!]!;
    if (i % stepRows === 0) yield;
  }
  return { kind: "int", values, present };
}

function* mergeCoded(
  columns: readonly SampleColumn[],
  { senders, rows }: RowPlaces,
): Steps<SampleColumn> {
  const codeOf = new Map<string, number>();
  const codes = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    if (i % stepRows === 0) yield;
    const column = columns[senders[i]!]!;
    if (column.kind !== "coded") throw new Error("senders disagree on the type of a column");
    const text = column.dictionary[column.codes[rows[i]!]!];
    if (text === undefined) {
      codes[i] = -1;
      continue;
    }
    let code = codeOf.get(text);
    if (code === undefined) {
      code = codeOf.size;
      codeOf.set(text, code);
    }
    codes[i] = code;
  }
  return { kind: "coded", dictionary: [...codeOf.keys()], codes };
}
