import { buildQuery } from "../../../draft/ask/buildQuery.js";
import { printQueryText, type QueryLanguage } from "../../../draft/text/queryText.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import type { FormQuery } from "../../formQuery.js";

/** The query as text. Null when its times cannot be read or its probe is pending. */
export function printedQuery(
  state: ExploreState,
  { timeZone, columns, probe }: Pick<FormQuery, "timeZone" | "columns" | "probe">,
  language: QueryLanguage,
): string | null {
  if (probe.kind === "pending") return null;
  const probed = probe.kind === "ready" ? probe.result : null;
  try {
    const { query } = buildQuery(state, { timeZone, nowMs: Date.now(), columns, probed });
    return printQueryText(query, language);
  } catch {
    // The form shows the error at its field.
    return null;
  }
}
