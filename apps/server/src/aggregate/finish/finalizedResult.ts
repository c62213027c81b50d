import type { Result, ResultNote } from "@hadal/sdk";
import type { NoBarReason } from "../estimate/noBar.js";

/** The part of a result that comes from the states; completeness and times are the query's. */
export interface FinalizedResult
  extends Pick<Result, "columns" | "rows" | "intervals" | "truncated"> {
  /** Why rows have no error bars of what missing leaves bring, */
  readonly noBars: readonly NoBarReason[];
  /** and why estimates have none, whatever is missing. */
  readonly barNotes: readonly ResultNote[];
}
