import { bigintAsText, type Filter, HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { printFilter } from "../../../query/filterUrl.js";
import { useExplore } from "../explore.js";

/** Of all events of the range, the share that passes each filter, by its text; none until counted. */
export type ChipShares = ReadonlyMap<string, number>;

const nothing: ChipShares = new Map();

/** Counted one after the other, and only while the answer itself is there: a share must cost nobody their answer. */
export function useChipShares(settled: boolean): ChipShares {
  const { session, state } = useExplore();
  const { table, from, to, derive, timeZone, filters } = state;
  const wanted = filters.filter(({ off }) => !off).map(({ filter }) => filter);
  const scope = JSON.stringify([table, from, to, timeZone, derive], bigintAsText);
  const [known, setKnown] = useState({ scope, shares: nothing });
  const shares = known.scope === scope ? known.shares : nothing;
  const missing = wanted.filter((filter) => !shares.has(printFilter(filter)));
  const missingText = missing.map(printFilter).join("&");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts say when something is missing; the rest belongs to them
  useEffect(() => {
    if (!settled || missing.length === 0) return;
    const stop = new AbortController();
    const count = async (filter: readonly Filter[]): Promise<number> => {
      const zone = timeZone === null ? {} : { timeZone };
      const query = { ...{ table, from, to, derive, filter }, ...zone };
      const result = await session.client.query(
        { ...query, aggregates: [{ fn: "count" }] },
        { signal: stop.signal },
      );
      return Number(result.rows[0]?.[0] ?? 0);
    };
    const countAll = async (): Promise<void> => {
      const counted = new Map(shares);
      const all = await count([]);
      for (const filter of missing) {
        counted.set(printFilter(filter), all === 0 ? 0 : (await count([filter])) / all);
        if (stop.signal.aborted) return;
        setKnown({ scope, shares: new Map(counted) });
      }
    };
    countAll().catch((error: unknown) => {
      // A filter that cannot be counted is told by the main answer.
      if (!(error instanceof HadalError) && !stop.signal.aborted) throw error;
    });
    return () => stop.abort();
  }, [session, scope, missingText, settled]);
  return shares;
}
