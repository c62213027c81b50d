import type { HadalClient, Query, Result } from "@hadal/sdk";
import type { OnIntent } from "../answer/intent.js";
import type { ChartInput } from "../answer/series.js";
import type { ColorBook } from "../paint/color.js";

/** The input of every view. A view is a component with these properties, in its own folder. */
export interface ViewProps {
  /** The answer to the view's question. */
  readonly input: ChartInput;
  /** The query of the result. */
  readonly query: Query;
  /** Results of the view's extra queries, by name, if they have arrived. */
  readonly extras: Readonly<Record<string, Result>>;
  /** The view's extra queries by name, in order. */
  readonly extraQueries: Readonly<Record<string, Query>>;
  /** The effective options of the view. */
  readonly options: Readonly<Record<string, string>>;
  /** What the answer is ordered by. */
  readonly rank: { readonly by: string; readonly desc: boolean };
  readonly colors: ColorBook;
  /** Changes with the page's colours: charts read them again. */
  readonly themeName: string;
  /** The same for each run of the same query: axes and orders are kept while it is. */
  readonly questionKey: string;
  /** Times within the range that are held against the rest of it; null: there are none. */
  readonly part: { readonly fromMs: number; readonly toMs: number } | null;
  /** Compares the values of two sets of rows, which no query can. */
  readonly whatChanged: HadalClient["whatChanged"];
  readonly onIntent: OnIntent;
}
