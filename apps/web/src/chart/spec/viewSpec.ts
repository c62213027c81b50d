import type { ColumnInfo, OrderBy, Query, Result } from "@hadal/sdk";
import type { ComponentType } from "react";
import type { NumbersQuery } from "../../query/number/askedNumbers.js";
import type { ExploreState, ViewId } from "../../query/state/exploreState.js";
import type { ViewProps } from "../kit/props/viewProps.js";

/** Parts of the form; it shows those that the view uses. */
export type FormField =
  | "compare"
  | "aggregates"
  | "group"
  | "bucket"
  | "having"
  | "order"
  | "limit"
  | "series"
  | "columns";

/** A choice that is a view's own. Views that mean the same by a name share it. */
export interface ViewOption {
  readonly name: string;
  readonly label: string;
  /** What can be chosen now, the one that is in force without a choice first. */
  readonly choices: (
    state: ExploreState,
    columns: readonly ColumnInfo[],
  ) => readonly { readonly value: string; readonly label: string }[];
  /** Whether a text that is none of the choices can be in force too: the form then has a line to write it. */
  readonly accepts?: (text: string) => boolean;
  /** What to write there. */
  readonly hint?: string;
  /** Changes only how the result is drawn: choosing it runs no query. */
  readonly drawn?: true;
  /** What edits it: a line below the comparison, the popup of scales, the legend; absent: a line of the form. */
  readonly editor?: "compare" | "scale" | "legend";
}

/** What every view's question starts from. */
export interface BuildContext {
  /** Table, times, zone, filters and derived columns. */
  readonly base: Query;
  /** The same with the aggregates, their conditions and side B. */
  readonly counted: NumbersQuery;
  readonly order: OrderBy;
  /** Length of the range. */
  readonly rangeMs: number;
  /** The step of time: as chosen, else by the range. */
  readonly bucketMs: number;
  /** The same as a query writes it. */
  readonly bucket: string;
  /** The table's columns and the derived ones; empty until they are known. */
  readonly columns: readonly ColumnInfo[];
  /** The option's choice in force. */
  readonly option: (name: string) => string;
  /** The answer to the view's probe; null while there is none. */
  readonly probed: Result | null;
}

/** The queries of a view: its main query, and extra queries by name. */
export interface ViewQuestion {
  readonly query: NumbersQuery;
  readonly extras?: Readonly<Record<string, NumbersQuery>>;
  /** The column that the probe found no value in: there is nothing to draw. */
  readonly without?: string | null;
  /** The length of a time bucket, if the view chooses it. */
  readonly bucketMs?: number;
}

/** What kind of question views answer, in the order of the picker. */
export const viewGroups = ["over time", "ranking", "distribution", "relation", "rows"] as const;

/** One view: its queries, its part of the form, and the component that draws its result. */
export interface ViewSpec {
  readonly id: ViewId;
  readonly name: string;
  readonly group: (typeof viewGroups)[number];
  /** The question that it answers, for people. */
  readonly answers: string;
  /** Loads the component: charts are most of the code and none of the first paint. */
  readonly load: () => Promise<ComponentType<ViewProps>>;
  /** Nothing but text: it is saved as CSV, not as a picture. */
  readonly isText?: true;
  readonly fields: readonly FormField[];
  readonly options: readonly ViewOption[];
  /** Its query depends on the table's columns: it runs when these are known. */
  readonly needsColumns: boolean;
  /** What the state lacks for a query, in words; null: nothing. */
  readonly lacks: (state: ExploreState, columns: readonly ColumnInfo[]) => string | null;
  /** Gives the state what it lacks and keeps the rest; the same state where that cannot be. */
  readonly fill: (state: ExploreState, columns: readonly ColumnInfo[]) => ExploreState;
  /** Result columns that its answer can be ordered by. */
  readonly orderNames: (state: ExploreState) => readonly string[];
  /**
   * A first query that the main query is built from, such as the range of a column's numbers. It runs once,
   * so that the bins from it do not change while live results arrive.
   */
  readonly probe?: (state: ExploreState, context: BuildContext) => NumbersQuery;
  readonly build: (state: ExploreState, context: BuildContext) => ViewQuestion;
}
