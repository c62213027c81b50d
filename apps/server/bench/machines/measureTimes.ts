import type { HadalClient, Query } from "@hadal/sdk";

export interface Times {
  readonly meanMs: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/** At the gateway, from the question to the answer. Throws where an answer lacks rows. */
async function serverMs(client: HadalClient, query: Query): Promise<number> {
  const { completeness, stats } = await client.query(query);
  if (completeness.fraction !== 1) {
    throw new Error(`an answer lacks ${completeness.leaves.missing.join()}: no time of it counts`);
  }
  return stats.elapsedMs;
}

/** Asks one after another, after as many that do not count. */
export async function measureTimes(
  client: HadalClient,
  query: Query,
  runs: number,
): Promise<Times> {
  const times: number[] = [];
  for (let run = 0; run < 2 * runs; run++) times.push(await serverMs(client, query));
  const counted = times.slice(runs);
  const meanMs = counted.reduce((sum, ms) => sum + ms, 0) / runs;
  return { meanMs, minMs: Math.min(...counted), maxMs: Math.max(...counted) };
}

/** Clients that ask one question after another, without a pause (S117). No two are the same: these would be answered once. */
export async function measureClients(
  client: HadalClient,
  query: Query,
  { clients, runs }: { readonly clients: number; readonly runs: number },
): Promise<{ readonly perSecond: number; readonly meanMs: number }> {
  const startedMs = performance.now();
  let totalMs = 0;
  let asked = 0;
  const ask = async (): Promise<void> => {
    for (let run = 0; run < runs; run++) {
      const askedMs = performance.now();
      await client.query({ ...query, from: Number(query.from) + asked++ });
      totalMs += performance.now() - askedMs;
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  const count = clients * runs;
  return {
    perSecond: (1_000 * count) / (performance.now() - startedMs),
    meanMs: totalMs / count,
  };
}

/** Of times in ascending order. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
