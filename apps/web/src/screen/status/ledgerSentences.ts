import type { LedgerInfo } from "@hadal/sdk";
import { formatExact } from "../../format/number.js";

/** A sentence for each problem of the row-count ledger; empty without problems. */
export function ledgerSentences(ledger: LedgerInfo): readonly string[] {
  const { state, reason, lostRows, lostColumns = [], doubts } = ledger;
  const rebuilding =
    state === "rebuilding"
      ? [`The expected number of rows is not known yet: ${reason ?? "counts are lost"}.`]
      : [];
  const lost = lostRows.map(
    ({ leaf, table, rows, reason: why }) =>
      `${leaf} has lost ${formatExact(rows)} ${rows === 1 ? "row" : "rows"} of ${table}: ${why}. Answers over them say what share is missing.`,
  );
  const columns = lostColumns.map(
    ({ leaf, table, column, rows, reason: why }) =>
      `${leaf} cannot read ${column} of ${formatExact(rows)} ${rows === 1 ? "row" : "rows"} of ${table}: ${why}. Answers that read it do not include these rows, and report it.`,
  );
  const unknown = doubts.map(
    ({ table, reason: why }) =>
      `Answers over older rows of ${table} have an unknown share: ${why}.`,
  );
  return [...rebuilding, ...lost, ...columns, ...unknown];
}
