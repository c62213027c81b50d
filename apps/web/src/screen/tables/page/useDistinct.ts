import { type Facet, HadalError } from "@hadal/sdk";
import { useEffect, useRef, useState } from "react";
import type { Session } from "../../../session/session.js";

export interface Distinct {
  /** The facets by column; null: not counted. */
  readonly facets: ReadonlyMap<string, Facet> | null;
  readonly counting: boolean;
  readonly problem: string | null;
  readonly count: () => void;
}

/** A scan of every column of a large table takes long, so it runs on request only. */
const timeoutMs = 60_000;

/** Counts the distinct values of each column over all rows, on request. */
export function useDistinct({ client }: Session, table: string): Distinct {
  const [known, setKnown] = useState<Omit<Distinct, "count">>({
    facets: null,
    counting: false,
    problem: null,
  });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const count = async (): Promise<void> => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setKnown((before) => ({ ...before, counting: true, problem: null }));
    try {
      const request = { table, from: 0, to: "now", limit: 1, timeoutMs };
      const { columns } = await client.facets(request, { signal: stop.signal });
      const facets = new Map(columns.map((column) => [column.name, column]));
      setKnown({ facets, counting: false, problem: null });
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      if (stop.signal.aborted) return;
      setKnown((before) => ({ ...before, counting: false, problem: error.message }));
    }
  };
  return { ...known, count: () => void count() };
}
