import { fitsInt64, rescale } from "../../column/decimal.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import { type RememberedSum, RememberedSums } from "./rememberedSums.js";
import type { SegmentHistogram } from "./segmentHistogram.js";
import { noSpread, type SegmentView, type Spread, spreadSums } from "./segmentView.js";

/**
 * Columns kept in a form that sums fast: enough for a dashboard. Others are made again when a query
 * needs them.
 */
const columnsKeptMax = 128;
const segmentsMin = 64;

/** Aggregates of one integer column by segment; sums are hi · 2^32 + lo. */
export interface ColumnTotals {
  /** 1: the segment has its aggregates; 0: it must be scanned. */
  readonly known: Uint8Array;
  readonly presentRows: Float64Array;
  readonly presentWeight: Float64Array;
  readonly hi: Float64Array;
  readonly lo: Float64Array;
  /** 1: the segment has its spreads. */
  readonly spreadKnown: Uint8Array;
  /** `spreadSums` for each segment. */
  readonly spreads: Float64Array;
  /** True where the segment has a value: only there min and max mean something. */
  readonly hasValue: Uint8Array;
  readonly min: BigInt64Array;
  readonly max: BigInt64Array;
  readonly zones: ColumnZones;
  /** Null: the segment has none at these decimals, and has to be scanned for one. */
  readonly histograms: (SegmentHistogram | null)[];
  /** 1 where `histograms` is not null. */
  readonly histogramKnown: Uint8Array;
}

/** Of a segment without the column. */
const noValues: SegmentHistogram = { address: 0, count: 0, weightBytes: 1 };

/** The zone maps of a column by segment, also of open ones, in a form that compares fast. */
export interface ColumnZones {
  readonly kind: Uint8Array;
  /**
   * For integers, that no value is below or above: exact where a double is, else rounded outward.
   */
  readonly atLeast: Float64Array;
  readonly atMost: Float64Array;
}

/** No row has a value; nothing is known; integers that some rows have, or all. */
export const zoneKinds = { empty: 0, unknown: 1, someInts: 2, allInts: 3 } as const;

/**
 * The aggregates of a table's segments in typed arrays, by the segment's place in the snapshot: a
 * query over thousands of segments sums neighbouring numbers. `follow` keeps the entries of
 * segments whose place is unchanged, and reads the others again.
 */
export class SegmentTotals {
  #segments: SegmentView[] = [];
  #capacity = 0;
  minMs = new Float64Array(0);
  maxMs = new Float64Array(0);
  rowCounts = new Float64Array(0);
  weightTotals = new Float64Array(0);
  readonly #columns = new Map<string, { readonly data: unknown; end: number }>();
  readonly #remembered = new RememberedSums();

  /** Makes the facts cover exactly these segments. */
  follow(segments: readonly SegmentView[]): void {
    let same = 0;
    const both = Math.min(segments.length, this.#segments.length);
    while (same < both && segments[same] === this.#segments[same]) same++;
    if (segments.length > this.#capacity) {
      this.#grow(segments.length);
      same = 0;
    }
    for (const column of this.#columns.values()) column.end = Math.min(column.end, same);
    this.#segments.length = same;
    for (let i = same; i < segments.length; i++) {
      const segment = segments[i]!;
      this.#segments.push(segment);
      this.minMs[i] = segment.minMs;
      this.maxMs[i] = segment.maxMs;
      this.rowCounts[i] = segment.rowCount;
      this.weightTotals[i] = segment.weightTotal;
    }
  }

  /** A column of the segments followed last, with `decimals` digits after the point. */
  column(name: string, decimals: number): ColumnTotals {
    const wanted = { name, decimals };
    return this.followed(`${decimals} ${name}`, createTotals, (totals, at, segment) =>
      fill(totals, at, segment, wanted),
    );
  }

  /** The same for a derived column whose sums are remembered: only sums and presence. */
  remembered(key: string): ColumnTotals {
    return this.followed(rememberedName(key), createTotals, (totals, at, segment) =>
      fillRemembered(totals, at, segment, this.#remembered.find(key, segment)),
    );
  }

  /** `sums` of sealed segments, whether or not they are still followed. */
  remember(key: string, sums: ReadonlyMap<SegmentView, RememberedSum>): void {
    for (const [segment, sum] of sums) this.#remembered.remember(key, segment, sum);
    this.#columns.delete(rememberedName(key));
  }

  /** Whether these segments are still the ones at these places. */
  areAt(places: Uint32Array, segments: readonly SegmentView[]): boolean {
    for (let i = 0; i < segments.length; i++) {
      if (this.#segments[places[i]!] !== segments[i]) return false;
    }
    return true;
  }

  /**
   * Further facts about the segments followed last, by key: created once, and filled in once for
   * each segment.
   */
  followed<Data>(
    key: string,
    create: (capacity: number) => Data,
    fillIn: (data: Data, at: number, segment: SegmentView) => void,
  ): Data {
    let column = this.#columns.get(key);
    if (column === undefined) {
      const oldest = this.#columns.keys().next();
      if (this.#columns.size >= columnsKeptMax && !oldest.done) this.#columns.delete(oldest.value);
      column = { data: create(this.#capacity), end: 0 };
      this.#columns.set(key, column);
    }
    const data = column.data as Data;
    for (; column.end < this.#segments.length; column.end++) {
      fillIn(data, column.end, this.#segments[column.end]!);
    }
    return data;
  }

  #grow(segmentCount: number): void {
    this.#capacity = Math.max(segmentsMin, segmentCount * 2);
    this.minMs = new Float64Array(this.#capacity);
    this.maxMs = new Float64Array(this.#capacity);
    this.rowCounts = new Float64Array(this.#capacity);
    this.weightTotals = new Float64Array(this.#capacity);
    this.#columns.clear();
  }
}

/** No column's: those begin with their decimals. */
const rememberedName = (key: string): string => `remembered ${key}`;

function createTotals(capacity: number): ColumnTotals {
  return {
    known: new Uint8Array(capacity),
    presentRows: new Float64Array(capacity),
    presentWeight: new Float64Array(capacity),
    hi: new Float64Array(capacity),
    lo: new Float64Array(capacity),
    spreadKnown: new Uint8Array(capacity),
    spreads: new Float64Array(capacity * spreadSums),
    hasValue: new Uint8Array(capacity),
    min: new BigInt64Array(capacity),
    max: new BigInt64Array(capacity),
    histograms: [],
    histogramKnown: new Uint8Array(capacity),
    zones: {
      kind: new Uint8Array(capacity),
      atLeast: new Float64Array(capacity),
      atMost: new Float64Array(capacity),
    },
  };
}

function fill(
  totals: ColumnTotals,
  at: number,
  { columns, sums, histograms, weights }: SegmentView,
  { name, decimals }: { readonly name: string; readonly decimals: number },
): void {
  const column = columns.get(name);
  const isScaled = column?.kind === "int" && column.decimals === decimals;
  const histogram = isScaled ? histograms.get(name) : column === undefined ? noValues : undefined;
  totals.histograms[at] = histogram ?? null;
  totals.histogramKnown[at] = histogram === undefined ? 0 : 1;
  const own = sums?.get(name);
  const hasValue = column?.kind === "int" && column.min <= column.max;
  totals.known[at] = 0;
  totals.hasValue[at] = hasValue ? 1 : 0;
  totals.presentRows[at] = own?.presentRows ?? 0;
  totals.presentWeight[at] = own?.presentWeight ?? 0;
  totals.hi[at] = 0;
  totals.lo[at] = 0;
  fillZone(totals.zones, at, column, decimals);
  const spread = weights === null || column === undefined ? noSpread : (own?.spread ?? null);
  fillSpread(totals, at, spread, column?.kind === "int" ? decimals - column.decimals : 0);
  if (sums === null || (column !== undefined && column.kind !== "int")) return;
  if (column === undefined || own === undefined) {
    totals.known[at] = 1;
    return;
  }
  const at10 = (stored: bigint): bigint => rescale(stored, column.decimals, decimals);
  const [sum, min, max] = [at10(own.weightedSum), at10(column.min), at10(column.max)];
  // What does not fit is scanned, as wide as it needs.
  if (!fitsInt64(sum) || (hasValue && !(fitsInt64(min) && fitsInt64(max)))) return;
  fillSum(totals, at, sum);
  if (!hasValue) return;
  totals.min[at] = min;
  totals.max[at] = max;
}

function fillRemembered(
  totals: ColumnTotals,
  at: number,
  { weights }: SegmentView,
  own: RememberedSum | undefined,
): void {
  fillSpread(totals, at, weights === null ? noSpread : null, 0);
  totals.known[at] = 0;
  if (own === undefined) return;
  totals.presentRows[at] = own.presentRows;
  totals.presentWeight[at] = own.presentWeight;
  fillSum(totals, at, own.weightedSum);
}

function fillSum(totals: ColumnTotals, at: number, sum: bigint): void {
  totals.known[at] = 1;
  totals.hi[at] = Number(sum >> 32n);
  totals.lo[at] = Number(BigInt.asUintN(32, sum));
}

function fillSpread(
  { spreadKnown, spreads }: ColumnTotals,
  at: number,
  spread: Spread | null,
  shift: number,
): void {
  spreadKnown[at] = spread === null ? 0 : 1;
  const [ones, linear, square, cube] = spread ?? noSpread;
  const scale = 10 ** shift;
  const first = at * spreadSums;
  spreads[first] = ones;
  spreads[first + 1] = linear * scale;
  spreads[first + 2] = square * scale ** 2;
  spreads[first + 3] = cube * scale ** 3;
}

function fillZone(
  { kind, atLeast, atMost }: ColumnZones,
  at: number,
  column: SegmentColumn | undefined,
  decimals: number,
): void {
  if (column !== undefined && column.kind !== "int") {
    kind[at] = zoneKinds.unknown;
    return;
  }
  if (column === undefined || column.min > column.max) {
    kind[at] = zoneKinds.empty;
    return;
  }
  kind[at] = column.present === 0 ? zoneKinds.allInts : zoneKinds.someInts;
  atLeast[at] = floorDouble(rescale(column.min, column.decimals, decimals));
  atMost[at] = -floorDouble(-rescale(column.max, column.decimals, decimals));
}

/** The value, or a double that is less. */
export function floorDouble(value: bigint): number {
  const nearest = Number(value);
  // More than the distance to the next double, and less than two of it.
  return nearest <= value ? nearest : nearest - Math.abs(nearest) * 2 ** -52;
}
