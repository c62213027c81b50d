import { aggregateName, HadalError, type Query } from "@hadal/sdk";
import { finalizeResult } from "../../src/aggregate/finish/finalizeResult.js";
import { resolveQuery } from "../../src/aggregate/function/resolveQuery.js";
import { mergePartials } from "../../src/aggregate/merge/mergePartials.js";
import { decodePartialResult, encodePartialSteps } from "../../src/aggregate/merge/partialCodec.js";
import type { KeyColumn, PartialResult } from "../../src/aggregate/partial/partialResult.js";
import { median } from "../../src/base/number/median.js";
import { createLeafConnection } from "../../src/cluster/connectToLeaf.js";
import type { LeafConnection } from "../../src/cluster/leafConnection.js";
import type { LeafHandlers } from "../../src/cluster/leafHandlers.js";
import { createLeafServer } from "../../src/cluster/leafServer.js";
import type { SplitQuery } from "../../src/plan/query/splitQuery.js";
import { createTableSchema } from "../../src/plan/schema/tableSchema.js";
import { all29h, count, sum } from "../query/benchQuery.js";
import type { BenchResult } from "../report/benchReport.js";
import { hash32 } from "../table/benchTable.js";

const groupCount = 100_000;
const warmUpRuns = 30;
const runs = 41;
const key = "a key of the bench";

const stats = {
  ...{ rowsHeld: groupCount, share: 1, rowsScanned: groupCount, rowsMatched: groupCount },
  ...{ bytesScanned: 0, segments: 1, segmentsSkipped: 0, scanMs: 0 },
};

/** The keys of groups: scattered integers, or strings that all differ. */
export type KeyKind = "int" | "string";

/**
 * 100,000 groups with a count and a sum on their way from a leaf to the root, over a real connection: encoded, sent,
 * decoded, merged, and the best hundred finished. Both ends share this process, so that nothing overlaps.
 */
export async function benchLeafToRoot(name: string, kind: KeyKind): Promise<BenchResult> {
  const split = resolve(kind);
  const partial = groupsOf(kind);
  const encodeMs: number[] = [];
  const never = () => Promise.reject(new HadalError("unavailable", { detail: "queries only" }));
  const handlers: LeafHandlers = {
    query: async () => ({
      stats,
      encode: function* () {
        const startedMs = performance.now();
        const body = yield* encodePartialSteps(partial, split.resolved);
        encodeMs.push(performance.now() - startedMs);
        return body;
      },
    }),
    ...{ append: never, holds: never, expire: never, planThinning: never, planCut: never },
    ...{
      planDrop: never,
      reduce: never,
      drop: never,
      describe: never,
      forms: never,
      status: never,
    },
    ...{
      settle: never,
      undecided: never,
      storeHint: never,
      takeHint: never,
      dropHint: never,
      listHints: never,
    },
    ...{ holdsOfBody: never, fence: never, holdings: never, heldDays: never, heldMinutes: never },
    copies: { state: never, segment: never, log: never, logHash: never },
    awaitCopy: never,
  };
  const host = "127.0.0.1";
  const onError = (error: unknown) => console.error(error);
  const server = await createLeafServer({ host, port: 0, key, handlers, onError });
  const leaf = createLeafConnection({ id: "bench", address: () => `${host}:${server.port}`, key });
  try {
    const { isRight, bytes } = await check(leaf, split, partial);
    const times: Times = { wholeMs: [], decodeMs: [], mergeMs: [], finishMs: [] };
    for (let run = 0; run < warmUpRuns; run++) await ask(leaf, split, noTimes());
    for (let run = 0; run < runs; run++) await ask(leaf, split, times);
    const hadalMs = median(times.wholeMs);
    const parts = (
      [
        ["encoding", encodeMs.slice(-runs)],
        ["decoding", times.decodeMs],
        ["merging", times.mergeMs],
      ] as const
    )
      .map(([part, ms]) => `${part} ${median(ms).toFixed(1)} ms`)
      .join(", ");
    return {
      ...{ query: name, hadalMs, peers: {}, ratio: null, bytesScanned: bytes, checked: isRight },
      note: `${groupCount.toLocaleString("en")} groups; of it ${parts}; the best hundred took ${median(times.finishMs).toFixed(1)} ms more`,
    };
  } finally {
    leaf.close();
    await server.close();
  }
}

interface Times {
  readonly wholeMs: number[];
  readonly decodeMs: number[];
  readonly mergeMs: number[];
  readonly finishMs: number[];
}

const noTimes = (): Times => ({ wholeMs: [], decodeMs: [], mergeMs: [], finishMs: [] });

async function ask(leaf: LeafConnection, split: SplitQuery, times: Times) {
  const startedMs = performance.now();
  let body = new Uint8Array(0);
  await leaf.streamQuery(split.resolved, {
    budgetMs: 60_000,
    onPartial: (partial) => {
      ({ body } = partial as { body: Uint8Array<ArrayBuffer> });
    },
  });
  const sentMs = performance.now();
  const decoded = decodePartialResult(body, split.resolved);
  const decodedMs = performance.now();
  const merged = mergePartials([decoded], split.resolved);
  const mergedMs = performance.now();
  const result = finalizeResult(merged, split);
  times.wholeMs.push(mergedMs - startedMs);
  times.decodeMs.push(decodedMs - sentMs);
  times.mergeMs.push(mergedMs - decodedMs);
  times.finishMs.push(performance.now() - mergedMs);
  return { merged, result, bytes: body.length };
}

/** Every group has arrived with its numbers, and the best hundred are the best. */
async function check(leaf: LeafConnection, split: SplitQuery, sent: PartialResult) {
  const { merged, result, bytes } = await ask(leaf, split, noTimes());
  const [from, to] = [sent.sides[0]!, merged.sides[0]!];
  const sumsOf = ({ states }: typeof from) => {
    const column = states[2];
    return column?.kind === "sum" ? Float64Array.from(column.lo) : new Float64Array(0);
  };
  const [sentSums, ownSums] = [sumsOf(from).sort(), sumsOf(to).sort()];
  const isWhole =
    to.groupCount === groupCount && sentSums.every((value, i) => value === ownSums[i]);
  const best = [...sentSums].reverse().slice(0, 100);
  const place = result.columns.findIndex(({ name }) => name === aggregateName(sum("bytes")));
  const isBest = best.every((value, i) => result.rows[i]?.[place] === value);
  return { isRight: isWhole && isBest, bytes };
}

function resolve(kind: KeyKind): SplitQuery {
  const schema = createTableSchema("events", [
    { name: "key", type: kind, decimals: 0 },
    { name: "bytes", type: "int", decimals: 0 },
  ]);
  const query: Query = {
    ...{ table: "events", ...all29h, groupBy: ["key"], aggregates: [count, sum("bytes")] },
    ...{ orderBy: [{ by: "sum_bytes", desc: true }], limit: 100 },
  };
  return resolveQuery(query, schema, all29h.to);
}

function groupsOf(kind: KeyKind): PartialResult {
  const numbers = Array.from({ length: groupCount }, (_, i) => hash32(i + 1));
  const rows = Float64Array.from(numbers, (number) => 1 + (number % 97));
  const keys: KeyColumn =
    kind === "int"
      ? {
          kind,
          values: BigInt64Array.from(numbers, BigInt),
          present: new Uint8Array(groupCount).fill(1),
        }
      : {
          kind,
          // In one piece each, as a leaf's dictionary has them: what a template makes are two.
          dictionary: numbers.map((number) => Buffer.from(`/api/v1/resource-${number}`).toString()),
          codes: Int32Array.from(numbers, (_, i) => i),
        };
  const lo = Float64Array.from(numbers, (_, i) => hash32(i + 7_000_000));
  const states = [
    { kind: "count", values: rows },
    { kind: "count", values: rows },
    { kind: "sum", hi: new Float64Array(groupCount), lo, weights: rows },
  ] as const;
  const side = { groupCount, keys: [keys], states, groupsCut: 0, keysDiffer: true };
  return { sides: [side], sample: null };
}
