import { type HadalClient, HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { printUrl } from "../../../draft/url/url.js";
import { openingState, wholeRange } from "../../../query/state/opening.js";
import { exploreUrl } from "../base/tableUrls.js";

/** The address of Explore with the time range of all rows of a table; null: not known yet. */
export function useAllRowsUrl(client: HadalClient, table: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    allRowsUrl(client, table).then(
      (whole) => {
        if (isCurrent) setUrl(whole);
      },
      (error: unknown) => {
        if (!(error instanceof HadalError)) throw error;
        // Explore reports why the table cannot be read.
        if (isCurrent) setUrl(exploreUrl(table));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [client, table]);
  return url;
}

/** The range of all possible times. */
const [from, to] = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"];

/** Queries the time range, because the table's details are only as new as the last heartbeat. */
async function allRowsUrl(client: HadalClient, table: string): Promise<string> {
  const [detail, { rows }] = await Promise.all([
    client.table(table),
    client.query({
      ...{ table, from, to },
      aggregates: [
        { fn: "min", column: "time" },
        { fn: "max", column: "time" },
      ],
    }),
  ]);
  const [fromMs, toMs] = (rows[0] ?? []).map(Number);
  const found = { ...detail, fromMs: fromMs ?? null, toMs: toMs ?? null };
  const state = { ...openingState(found, Date.now()), live: false, ...wholeRange(found) };
  return `/explore?${printUrl(state)}`;
}
