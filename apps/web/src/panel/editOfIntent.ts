import type { ChartIntent } from "../chart/kit/answer/intent.js";
import type { Edit } from "../draft/edit/edits.js";
import { groupedByChange } from "../draft/edit/groupedByChange.js";
import type { ExploreState } from "../query/state/exploreState.js";

/** The intents that edit the state; a pick opens a menu, and `again` runs the same query. */
export type EditIntent = Exclude<ChartIntent, { readonly kind: "pick" | "again" }>;

/** The edit of the state for an intent on a chart. */
export function editOfIntent(intent: EditIntent, state: ExploreState): Edit {
  switch (intent.kind) {
    case "zoom":
      return intent;
    case "filter": {
      const selection = { filters: intent.filters, range: null };
      return { kind: intent.exclude ? "not this" : "only this", selection };
    }
    case "patterns":
      return { ...intent, kind: "see patterns" };
    case "option":
      return { ...intent, kind: "set option" };
    case "group over time":
      return { kind: "open", state: groupedByChange(state, intent.column) };
    case "sort":
      return { kind: "set order", order: { by: intent.by, desc: intent.desc } };
  }
}
