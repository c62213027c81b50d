import { type ColumnType, decimalsMax } from "@hadal/sdk";
import type { FormsInRange } from "../../base/row/columnTypes.js";
import { typesByWidth } from "../../base/row/columnTypes.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { LeafRequest } from "../../cluster/leafProtocol.js";
import { rescale } from "../../column/decimal.js";
import type { IntColumn } from "../../column/segmentColumn.js";
import type { ColumnPlace } from "../../store/columns/tableColumns.js";
import type { StoredSegment } from "../../store/segment/segmentView.js";
import { intsOf, placedColumns, presenceOf, type ValueReaders } from "./placedValues.js";
import { isInRanges, type RowSpan, rowsInRanges } from "./rowsInRanges.js";

type FormsRequest = Pick<Extract<LeafRequest, { kind: "forms" }>, "columns" | "ranges">;

/** Looked at in one step. */
const stepRows = 4_096;

/** Rows of a segment to examine. */
interface AskedRows {
  readonly segment: StoredSegment;
  readonly spans: readonly RowSpan[];
}

/** The forms of the columns' values in ranges of time: exactly those of rows in the ranges. */
export function* findForms(
  { columns, ranges }: FormsRequest,
  segments: readonly StoredSegment[],
  placesOf: (column: string) => readonly ColumnPlace[],
  readers: ValueReaders,
): Steps<FormsInRange[]> {
  const asked: AskedRows[] = [];
  for (const segment of segments) {
    if (!isInRanges(segment, ranges)) continue;
    const spans = rowsInRanges(segment, ranges, readers.column);
    if (spans.length > 0) asked.push({ segment, spans });
    yield;
  }
  const found: FormsInRange[] = [];
  for (const { name: column, exact } of columns) {
    const places = placesOf(column);
    const types = yield* findTypes(asked, places, readers);
    const numbers = exact ? yield* findNumbers(asked, places, readers) : null;
    found.push({ column, types, numbers });
  }
  return found;
}

function* findTypes(
  asked: readonly AskedRows[],
  places: readonly ColumnPlace[],
  readers: ValueReaders,
): Steps<readonly ColumnType[]> {
  const types = new Set<ColumnType>();
  for (const place of places) {
    for (const rows of asked) {
      if (types.has(place.type)) break;
      if (yield* hasValue(rows, place, readers)) types.add(place.type);
    }
  }
  return typesByWidth.filter((type) => types.has(type));
}

/** Whether one of the rows has a value in a place. */
export function* hasValue(
  { segment, spans }: AskedRows,
  place: ColumnPlace,
  readers: ValueReaders,
): Steps<boolean> {
  const [placed] = placedColumns(segment, [place]);
  if (placed === undefined) return false;
  const isPresent = presenceOf(placed, segment.rowCount, readers);
  for (const [first, end] of spans) {
    for (let row = first; row < end; row++) {
      if (isPresent(row)) return true;
      if ((row - first) % stepRows === stepRows - 1) yield;
    }
  }
  return false;
}

function* findNumbers(
  asked: readonly AskedRows[],
  places: readonly ColumnPlace[],
  readers: ValueReaders,
): Steps<FormsInRange["numbers"]> {
  const extent = new NumberExtent();
  for (const { segment, spans } of asked) {
    for (const stored of intsOf(placedColumns(segment, places))) {
      // An open segment's zone map may include rows that are not visible yet.
      const isWhole = segment.sorted && spans[0]?.[1] === segment.rowCount && spans[0][0] === 0;
      if (isWhole && stored.min <= stored.max) {
        extent.add(stored.min, stored.decimals);
        extent.add(stored.max, stored.decimals);
        if (stored.decimals <= extent.digits) continue;
      }
      yield* addRows(extent, stored, { segment, spans }, readers);
    }
  }
  return extent.found;
}

function* addRows(
  extent: NumberExtent,
  stored: IntColumn,
  { segment, spans }: AskedRows,
  { column }: ValueReaders,
): Steps<void> {
  for (const [first, end] of spans) {
    for (let row = first; row < end; row++) {
      if (column.isPresent(stored.present, row)) {
        extent.add(column.storedInt(stored, row, segment.rowCount), stored.decimals);
      }
      if ((row - first) % stepRows === stepRows - 1) yield;
    }
  }
}

/** How far numbers reach, and with how many digits behind the point. */
class NumberExtent {
  digits = 0;
  #min: bigint | null = null;
  #max: bigint | null = null;

  get found(): FormsInRange["numbers"] {
    if (this.#min === null || this.#max === null) return null;
    return { digits: this.digits, min: String(this.#min), max: String(this.#max) };
  }

  add(stored: bigint, decimals: number): void {
    if (decimals > this.digits) this.digits = Math.max(this.digits, digitsOf(stored, decimals));
    const value = rescale(stored, decimals, decimalsMax);
    if (this.#min === null || value < this.#min) this.#min = value;
    if (this.#max === null || value > this.#max) this.#max = value;
  }
}

/** Digits behind the point without the zeros at the end. */
function digitsOf(stored: bigint, decimals: number): number {
  let digits = decimals;
  for (let value = stored; digits > 0 && value % 10n === 0n; value /= 10n) digits--;
  return digits;
}
