import type { LedgerInfo } from "@hadal/sdk";
import { formatExact } from "../../format/number.js";

/** What a person should know of the count of rows, a sentence each; nothing while all is well. */
export function ledgerWords({ state, reason, lostRows, doubts }: LedgerInfo): readonly string[] {
  const rebuilding =
    state === "rebuilding"
      ? [`How many rows there should be is not known yet: ${reason ?? "counts are lost"}.`]
      : [];
  const lost = lostRows.map(
    ({ leaf, table, rows, reason: why }) =>
      `${leaf} has lost ${formatExact(rows)} ${rows === 1 ? "row" : "rows"} of ${table}: ${why}. Answers over them say what share is missing.`,
  );
  const unknown = doubts.map(
    ({ table, reason: why }) =>
      `Answers over older rows of ${table} have an unknown share: ${why}.`,
  );
  return [...rebuilding, ...lost, ...unknown];
}
