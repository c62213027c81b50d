import type { DerivedColumn, Filter, Having } from "@hadal/sdk";
import type { GroupSpec } from "../group/groupSpec.js";
import type { Aggregate } from "../number/aggregate.js";
import type { QueryShape } from "./queryShape.js";

/** A chip of the form: a filter, and whether it is disabled. */
export interface FilterChip {
  readonly filter: Filter;
  readonly off: boolean;
  /** Stays when the filters are cleared and when another table is opened. */
  readonly pinned?: boolean;
}

/** Side B: `previous` is the period just before; a filter replaces the chips on side B. */
export interface CompareState {
  readonly offset: string | null;
  readonly filter: readonly Filter[] | null;
}

/** The id of a view; all views are listed in chart/view/views.ts. */
export type ViewId = string;

/** From the first instant up to the second. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface OrderState {
  readonly by: string;
  readonly desc: boolean;
}

/** Everything that the Explore screen shows. The address bar contains exactly this (see url.ts). */
export interface ExploreState {
  readonly table: string;
  /** As written: `-3h`, `now`, ISO-8601 with zone, milliseconds. */
  readonly from: string;
  readonly to: string;
  readonly live: boolean;
  /** An IANA zone; null: the reader's own. */
  readonly timeZone: string | null;
  readonly compare: CompareState | null;
  /** Times within the range that the view `changes` compares with the rest; null: it uses `compare`. */
  readonly part: TimeSpan | null;
  readonly aggregates: readonly Aggregate[];
  /** Which result rows are kept. */
  readonly having: readonly Having[];
  /** Columns computed per row, which the rest names like any other. */
  readonly derive: readonly DerivedColumn[];
  /** The views over time add their time bucket. */
  readonly groupBy: readonly GroupSpec[];
  /** A duration, or null: chosen by the range. */
  readonly bucket: string | null;
  readonly filters: readonly FilterChip[];
  /** null: by the first aggregate, largest first (rows: newest first). */
  readonly order: OrderState | null;
  readonly limit: number;
  /** Most series of a view over time. */
  readonly series: number;
  readonly view: ViewId;
  /** What was chosen of the views' own options, by the option's name; several views share some. */
  readonly options: Readonly<Record<string, string>>;
  /** Columns of the raw rows; null: all. */
  readonly columns: readonly string[] | null;
  /** Every row or no answer at all. */
  readonly exact: boolean;
  /** How long the leaves may take, and how old an answer may be; null: as the server has it. */
  readonly timeoutMs: number | null;
  readonly freshnessMs: number | null;
  /** The shape of the view `query`: a query in SQL or JSON that no other view can express. */
  readonly shape: QueryShape | null;
  /** Id of the saved query that was opened or saved last; the state may differ from it. null: none. */
  readonly saved: string | null;
}

export const limitOfForm = 100;
export const seriesOfForm = 10;

/** The default state of a table. */
export function initialState(table: string): ExploreState {
  return {
    table,
    from: "-3h",
    to: "now",
    live: false,
    timeZone: null,
    compare: null,
    part: null,
    aggregates: [{ fn: "count" }],
    having: [],
    derive: [],
    groupBy: [],
    bucket: null,
    filters: [],
    order: null,
    limit: limitOfForm,
    series: seriesOfForm,
    view: "timeseries",
    options: {},
    columns: null,
    exact: false,
    timeoutMs: null,
    freshnessMs: null,
    shape: null,
    saved: null,
  };
}
