import { HadalError } from "@hadal/sdk";
import { isWider } from "../../base/row/columnTypes.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { BoundColumn, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { storedColumnOf } from "../../plan/schema/bindColumns.js";
import type { ColumnPlace, TableColumns } from "../../store/columns/tableColumns.js";
import { decimalRoomOf } from "../../store/segment/decimalRoom.js";
import { SegmentTotals } from "../../store/segment/segmentTotals.js";
import type { SegmentView, StoredSegment } from "../../store/segment/segmentView.js";
import { type CastMeans, castInts, castLists, castNumbers, castTexts } from "./castValues.js";
import { hasValue } from "./findForms.js";
import { overlaidView } from "./overlaidView.js";
import { intsOf, type PlacedColumn, placedColumns } from "./placedValues.js";
import { isInRanges, type RowSpan, rowsInRanges } from "./rowsInRanges.js";

/** A table's segments as a query reads them, and their totals. */
export interface CastSegments {
  readonly segments: readonly SegmentView[];
  /** Null: the table's own. */
  readonly totals: SegmentTotals | null;
}

/**
 * The columns of a query that not all of the leaf's rows store in the form that the query reads;
 * mostly there are none.
 */
export function columnsToCast(
  { bound = [] }: ResolvedQuery,
  columns: TableColumns,
  segments: readonly StoredSegment[],
): BoundColumn[] {
  return bound.filter((column) => {
    if (column.name !== storedColumnOf(column)) return columns.has(storedColumnOf(column));
    return !columns.isAll(column.name, column) && !isReadAsStored(column, columns, segments);
  });
}

/**
 * Whether scans read the column as it is stored: numbers with fewer decimals, or narrower values.
 */
function isReadAsStored(
  bound: BoundColumn,
  columns: TableColumns,
  segments: readonly StoredSegment[],
): boolean {
  const [only, ...others] = columns.placesOf(bound.name);
  if (only?.name !== bound.name || others.length > 0 || isWider(only.type, bound.type))
    return false;
  if (bound.type !== "int") return true;
  return segments.every((segment) => {
    const stored = segment.columns.get(only.name);
    return stored === undefined || isReadable({ type: "int", stored }, bound);
  });
}

/** Columns to cast, and the table's columns, which say where their values are stored. */
export interface WantedColumns {
  readonly bound: readonly BoundColumn[];
  readonly columns: TableColumns;
}

/**
 * The segments with these columns in the form that the query reads, for the rows of its time range
 * only. Throws `schema-changed` where one of these rows has a value that does not fit the form.
 */
export function* castSegments(
  query: ResolvedQuery,
  wanted: WantedColumns,
  segments: readonly StoredSegment[],
  means: CastMeans,
): Steps<CastSegments> {
  const cast: SegmentView[] = [];
  let isChanged = false;
  for (const segment of segments) {
    const own = isInRanges(segment, query.sides)
      ? yield* castSegment(segment, query, wanted, means)
      : new Map<string, SegmentColumn | undefined>();
    isChanged ||= own.size > 0;
    cast.push(own.size === 0 ? segment : overlaidView(segment, own));
  }
  if (!isChanged) return { segments, totals: null };
  const totals = new SegmentTotals();
  totals.follow(cast);
  return { segments: cast, totals };
}

/** The columns whose form in the query differs from the stored one. */
function* castSegment(
  segment: StoredSegment,
  query: ResolvedQuery,
  { bound: wanted, columns }: WantedColumns,
  means: CastMeans,
): Steps<ReadonlyMap<string, SegmentColumn | undefined>> {
  let spans: readonly RowSpan[] | null = null;
  const spansOf = (): readonly RowSpan[] => {
    spans ??= rowsInRanges(segment, query.sides, means.readers.column);
    return spans;
  };
  const own = new Map<string, SegmentColumn | undefined>();
  for (const bound of wanted) {
    const places = columns.placesOf(storedColumnOf(bound));
    const asked: AskedColumn = { segment, bound, spansOf, table: query.table };
    const column = yield* castColumn(asked, places, means);
    if (column !== segment.columns.get(bound.name)) own.set(bound.name, column);
    yield;
  }
  return own;
}

interface AskedColumn {
  readonly segment: StoredSegment;
  readonly bound: BoundColumn;
  readonly spansOf: () => readonly RowSpan[];
  readonly table: string;
}

function* castColumn(
  { segment, bound, spansOf, table }: AskedColumn,
  places: readonly ColumnPlace[],
  means: CastMeans,
): Steps<SegmentColumn | undefined> {
  const { type, decimals, numbersOf } = bound;
  const held = places.filter(({ name }) => segment.columns.has(name));
  if (numbersOf === undefined) {
    for (const place of held) {
      if (!isWider(place.type, type)) continue;
      const rows = { segment, spans: spansOf() };
      if (yield* hasValue(rows, place, means.readers)) throw changed(table);
    }
  }
  const placed = placedColumns(
    segment,
    held.filter((place) => !isWider(place.type, type)),
  );
  if (placed.length === 0 || hasNoneOf(placed, bound)) return undefined;
  if (placed.length === 1 && isReadable(placed[0]!, bound)) return placed[0]!.stored;
  const rows = { rowCount: segment.rowCount, spans: spansOf() };
  if (rows.spans.length === 0) return undefined;
  if (numbersOf !== undefined) {
    const most = numbersOf.decimalsMax;
    return (yield* castNumbers(placed, rows, { decimals, most }, means)) ?? undefined;
  }
  if (type === "int") {
    const ints = yield* castInts(placed, rows, decimals, means);
    if (ints === null) throw changed(table);
    return ints;
  }
  return type === "string"
    ? yield* castTexts(placed, rows, means)
    : yield* castLists(placed, rows, type, means);
}

/** Whether a scan can read the stored values in the wanted form. */
function isReadable({ stored }: PlacedColumn, { type, decimals, numbersOf }: BoundColumn): boolean {
  if (type !== "int" || stored.kind !== "int") return true;
  if (numbersOf !== undefined && decimals < numbersOf.decimalsMax) return false;
  return stored.decimals <= decimals && decimalRoomOf(stored) >= decimals;
}

/** Whether all stored numbers fit with more decimals than this bound column has. */
function hasNoneOf(placed: readonly PlacedColumn[], { decimals, numbersOf }: BoundColumn): boolean {
  if (numbersOf === undefined || decimals === numbersOf.decimalsMax) return false;
  return intsOf(placed).every((stored) => decimalRoomOf(stored) > decimals);
}

const changed = (table: string): HadalError => new HadalError("schema-changed", { table });
