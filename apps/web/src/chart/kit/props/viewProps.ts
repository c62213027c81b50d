import type { HadalClient, Query, Result } from "@hadal/sdk";
import type { OnIntent } from "../answer/intent.js";
import type { ChartInput } from "../answer/series.js";
import type { ColorBook } from "../paint/color.js";

/** What every view is drawn from. A view is a component of this, in a folder of its own. */
export interface ViewProps {
  /** The answer to the view's question. */
  readonly input: ChartInput;
  /** The question as it was asked. */
  readonly query: Query;
  /** The other answers that the view asks for, by name, as far as they have come. */
  readonly extras: Readonly<Record<string, Result>>;
  /** All that it asks for beside, in the order asked. */
  readonly extraQueries: Readonly<Record<string, Query>>;
  /** The view's options in force. */
  readonly options: Readonly<Record<string, string>>;
  /** What the answer is ordered by. */
  readonly rank: { readonly by: string; readonly desc: boolean };
  readonly colors: ColorBook;
  /** Changes when the page's colours do: charts read them anew then. */
  readonly themeName: string;
  /** The same for the same question, however often it is asked: axes and orders are held for as long. */
  readonly questionKey: string;
  /** Times within the range that are held against the rest of it; null: there are none. */
  readonly part: { readonly fromMs: number; readonly toMs: number } | null;
  /** Asks in which values two sets of rows differ: no query does. */
  readonly whatChanged: HadalClient["whatChanged"];
  readonly onIntent: OnIntent;
}
