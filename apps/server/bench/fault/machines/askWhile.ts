import type { AckLevel } from "@hadal/sdk";
import { HadalError } from "@hadal/sdk";
import type { FaultyMachines } from "./faultyMachines.js";

const queriesEveryMs = 200;

export interface Asked {
  /** Since the work began. */
  readonly atMs: number;
  readonly tookMs: number;
  /** In the gateway, from the question to the answer; NaN: a problem instead of an answer. */
  readonly gatewayMs: number;
  /** NaN: a problem instead of an answer. */
  readonly fraction: number;
  /** Null: an answer. */
  readonly problem: string | null;
}

/** Asks five times a second while `work` goes on. Throws where an answer is wrong. */
export async function askWhile(
  cluster: FaultyMachines,
  work: () => Promise<void>,
): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const startMs = performance.now();
  const asking = new Set<Promise<void>>();
  let wrong: unknown = null;
  const ask = async (): Promise<void> => {
    const askedMs = performance.now();
    const ackedCount = cluster.acked.length;
    let [fraction, gatewayMs] = [Number.NaN, Number.NaN];
    let problem: string | null = null;
    try {
      const result = await cluster.gateway.client.query(cluster.byBatch);
      cluster.check(result, ackedCount);
      ({ fraction } = result.completeness);
      gatewayMs = result.stats.elapsedMs;
    } catch (error) {
      if (error instanceof HadalError) problem = error.code;
      else wrong ??= error;
    }
    const times = { atMs: askedMs - startMs, tookMs: performance.now() - askedMs, gatewayMs };
    asked.push({ ...times, fraction, problem });
  };
  const timer = setInterval(() => {
    const one = ask().finally(() => asking.delete(one));
    asking.add(one);
  }, queriesEveryMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await Promise.all(asking);
  }
  if (wrong !== null) throw wrong;
  return asked;
}

export function printAsked(asked: readonly Asked[]): string {
  const fractions = asked.map(({ fraction }) => fraction);
  const partial = fractions.filter((fraction) => fraction < 1);
  const least = Math.min(1, ...partial);
  const times = asked.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const [median, longest] = [times[times.length >> 1] ?? 0, times.at(-1) ?? 0];
  const gatewayMs = Math.max(0, ...asked.map((one) => one.gatewayMs).filter(Number.isFinite));
  const problems = asked.flatMap(({ problem }) => problem ?? []);
  const kinds = [...new Set(problems)].map(
    (kind) => `${problems.filter((one) => one === kind).length} × ${kind}`,
  );
  return `${asked.length} queries, median ${median.toFixed(0)} ms, longest ${longest.toFixed(0)} ms (in the gateway ${gatewayMs.toFixed(0)} ms); ${partial.length} partial${partial.length > 0 ? `, at least ${least.toFixed(3)}` : ""}; problems: ${kinds.join(", ") || "none"}`;
}

/** Sends batches while `work` goes on. Resolves with how many were acknowledged meanwhile, once all are. */
export async function sendWhile(
  cluster: FaultyMachines,
  work: () => Promise<void>,
  { ack = "replicated", senders = 4 }: { readonly ack?: AckLevel; readonly senders?: number } = {},
): Promise<number> {
  let isOver = false;
  const before = cluster.acked.length;
  let during = 0;
  const sending = Array.from({ length: senders }, async () => {
    while (!isOver) await cluster.send(ack);
  });
  try {
    await work();
    during = cluster.acked.length - before;
  } finally {
    isOver = true;
    await Promise.all(sending);
  }
  return during;
}
