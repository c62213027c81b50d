import { buildQuery } from "../../../../draft/ask/buildQuery.js";
import { printQueryText, type QueryLanguage } from "../../../../draft/text/queryText.js";
import type { ExploreState } from "../../../../query/state/exploreState.js";
import type { Explore } from "../../explore.js";

/** The question as it is asked. Null where it cannot be: its times cannot be read, or what it is made from is on its way. */
export function printedQuery(
  state: ExploreState,
  { timeZone, columns, probe }: Pick<Explore, "timeZone" | "columns" | "probe">,
  language: QueryLanguage,
): string | null {
  if (probe.kind === "pending") return null;
  const probed = probe.kind === "ready" ? probe.result : null;
  try {
    const { query } = buildQuery(state, { timeZone, nowMs: Date.now(), columns, probed });
    return printQueryText(query, language);
  } catch {
    // What is wrong is said at its place in the form.
    return null;
  }
}
