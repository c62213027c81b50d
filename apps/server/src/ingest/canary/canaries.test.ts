import type { Query } from "@hadal/sdk";
import { beforeEach, expect, test } from "vitest";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { encodeRowBatch } from "../../base/row/rowBatchCodec.js";
import { Canaries } from "./canaries.js";

const minuteMs = 60_000;
let clockMs = 0;
beforeEach(() => {
  clockMs = 1_750_500_000_000;
});

/** Rows that happened so long ago, each with a name and a number. */
const batchOf = (...agesMs: readonly number[]): RowBatch => ({
  rowCount: agesMs.length,
  times: Float64Array.from(agesMs, (ms) => clockMs - ms),
  columns: [
    {
      ...{ name: "user", type: "string" as const, dictionary: agesMs.map((ms) => `u${ms}`) },
      codes: Uint32Array.from(agesMs, (_, i) => i + 1),
    },
    {
      ...{ name: "n", type: "int" as const, decimals: 0, present: null },
      values: BigInt64Array.from(agesMs, () => 2n ** 60n),
    },
  ],
});

const sent = (batch: RowBatch) => async () => ({ bytes: encodeRowBatch(batch), contentHash: "" });

function createCanaries(count: (query: Query) => Promise<number>, random = () => 0) {
  const canaries = new Canaries({
    nowMs: () => clockMs,
    random,
    sleep: async (ms) => {
      clockMs += ms;
    },
  });
  canaries.start(count);
  return canaries;
}

test("one row is looked for by its time and values until an answer has it", async () => {
  const asked: Query[] = [];
  const canaries = createCanaries(
    async (query) => {
      asked.push(query);
      clockMs += 5;
      if (asked.length === 1) throw new Error("overloaded");
      return asked.length > 2 ? 1 : 0;
    },
    () => 0.6,
  );
  const eventMs = clockMs - 300;
  await canaries.look("t", sent(batchOf(900, 300)));
  expect(asked).toHaveLength(3);
  expect(asked[0]).toMatchObject({
    ...{ table: "t", from: eventMs, to: eventMs + 1 },
    filter: [
      { column: "user", op: "=", value: "u300" },
      { column: "n", op: "=", value: String(2n ** 60n) },
    ],
  });
  // 300 ms old, three queries of 5 ms, waits of 20 and 40 ms.
  expect(canaries.of("t")).toEqual({ p50Ms: 375, p99Ms: 375, samples: 1, unseen: 0 });
  expect([...canaries.list()]).toEqual([["t", canaries.of("t")]]);
  canaries.forget("t");
  expect(canaries.of("t")).toBeNull();
});

test("percentiles are those of the latest samples", async () => {
  const canaries = createCanaries(async () => 1);
  for (let i = 0; i < 1_000; i++) {
    clockMs += 1_000;
    await canaries.look("t", sent(batchOf(i)));
  }
  // The last 512 of them: 488 to 999.
  expect(canaries.of("t")).toEqual({ p50Ms: 743, p99Ms: 994, samples: 512, unseen: 0 });
});

test("old rows and those of the future say nothing; one that is never found is counted", async () => {
  let asked = 0;
  const canaries = createCanaries(async () => {
    asked++;
    return 0;
  });
  await canaries.look("t", sent(batchOf(11 * minuteMs)));
  clockMs += minuteMs;
  await canaries.look("t", sent(batchOf(-5)));
  expect([asked, canaries.of("t")]).toEqual([0, null]);
  clockMs += minuteMs;
  await canaries.look("t", sent(batchOf(5)));
  expect(canaries.of("t")).toEqual({ p50Ms: null, p99Ms: null, samples: 0, unseen: 1 });
  // About a second apart, for a minute.
  expect(asked).toBeGreaterThan(50);
  expect(asked).toBeLessThan(80);
});

test("looks are few: one a second of a table, ten of all, four under way", async () => {
  const waiting: ((count: number) => void)[] = [];
  const canaries = createCanaries(() => new Promise((resolve) => waiting.push(resolve)));
  const looks: Promise<void>[] = [];
  const look = async (table: string): Promise<number> => {
    looks.push(canaries.look(table, sent(batchOf(1))));
    await new Promise(setImmediate);
    return waiting.length;
  };
  expect([await look("a"), await look("a"), await look("b")]).toEqual([1, 1, 1]);
  clockMs += 100;
  expect([await look("a"), await look("b")]).toEqual([1, 2]);
  for (const [i, table] of ["c", "d", "e", "f"].entries()) {
    clockMs += 1_000;
    expect(await look(table)).toBe(Math.min(4, i + 3));
  }
  for (const resolve of waiting) resolve(1);
  await Promise.all(looks);
  clockMs += 1_000;
  expect(await look("a")).toBe(5);
  waiting.at(-1)!(1);
});

test("the tables looked at last are remembered, and no more than a thousand", async () => {
  const canaries = createCanaries(async () => 1);
  for (let i = 0; i < 1_010; i++) {
    clockMs += 100;
    await canaries.look(`t${i}`, sent(batchOf(1)));
  }
  expect([...canaries.list()]).toHaveLength(1_000);
  expect([canaries.of("t9"), canaries.of("t10")?.samples]).toEqual([null, 1]);
});

test("nothing is looked for before the start and after the end, and a batch that cannot be read is none", async () => {
  const unstarted = new Canaries({ nowMs: () => clockMs, random: () => 0, sleep: async () => {} });
  await unstarted.look("t", () => expect.fail("no batch is to be read"));
  const canaries = createCanaries(async () => 1);
  await canaries.look("t", async () => ({ bytes: Uint8Array.of(1, 2, 3), contentHash: "" }));
  expect(canaries.of("t")).toBeNull();
  canaries.close();
  clockMs += minuteMs;
  await canaries.look("t", sent(batchOf(1)));
  expect(canaries.of("t")).toBeNull();
});
