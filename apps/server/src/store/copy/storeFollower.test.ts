import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CopySource } from "../../base/copy/copySource.js";
import { LeafStore } from "../leaf/leafStore.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows, type PlainRow, readPlainRows } from "../testing/plainRows.js";
import { CopyHolders } from "./copyHolders.js";
import { LeafCopySource } from "./leafCopySource.js";
import { StoreFollower } from "./storeFollower.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-copy-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const memoryBytes = 256 * 2 ** 20;
const farMs = 10 ** 13;
const noPause = async (): Promise<void> => undefined;

/** A leaf's store in a folder, as a process opens it. */
class Side {
  warnings: string[] = [];
  store!: LeafStore;
  #context!: ReturnType<typeof createLeafContext>;

  constructor(public path: string) {}

  async open(): Promise<void> {
    this.#context = createLeafContext(memoryBytes, (text) => this.warnings.push(text));
    this.store = await LeafStore.open(this.path, this.#context);
  }

  /** As a process that is killed leaves its files. */
  async kill(): Promise<void> {
    const next = `${this.path}x`;
    const copied = (): Promise<boolean> =>
      cp(this.path, next, { recursive: true }).then(
        () => true,
        () => false,
      );
    // A file that goes while it is copied: what replaces it may not have been copied.
    while (!(await copied())) await rm(next, { recursive: true, force: true });
    const before = this.store;
    this.path = next;
    await this.open();
    await before.close();
  }

  rows(): string[] {
    return [...this.store.tables].flatMap((table) =>
      readPlainRows(table.snapshot(), this.#context).map((row) => `${table.name}: ${row}`),
    );
  }

  minutes(): unknown {
    const tables = [...this.store.tables].filter(({ rowCount }) => rowCount > 0);
    return tables
      .map(({ name, minutes }) => [name, [...minutes].filter(([, rows]) => rows > 0).sort()])
      .sort();
  }
}

class Pair {
  readonly source: Side;
  readonly copy: Side;
  #follower!: StoreFollower;
  /** Which of the next questions to the source fails. */
  failsIn = Number.POSITIVE_INFINITY;
  readonly holders = new CopyHolders();

  constructor(path: string) {
    this.source = new Side(join(path, "source"));
    this.copy = new Side(join(path, "copy"));
  }

  async open(): Promise<void> {
    await this.source.open();
    await this.copy.open();
    this.follow();
  }

  follow(): void {
    const origin = new LeafCopySource({
      store: this.source.store,
      folderId: () => "folder",
      holders: this.holders,
    });
    const asked = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
      --this.failsIn === 0 ? Promise.reject(new Error("the link broke")) : ask();
    const source: CopySource = {
      state: (request) => asked(() => origin.state(request)),
      segment: (table, generation) => asked(() => origin.segment(table, generation)),
      log: (table, range) => asked(() => origin.log(table, { ...range, bytesMax: 4_000 })),
      logHash: (table, generation, bytes) => asked(() => origin.logHash(table, generation, bytes)),
    };
    this.#follower = new StoreFollower({
      ...{ store: this.copy.store, source, holder: "copy" },
      onFolder: async () => undefined,
      warn: (text) => this.copy.warnings.push(text),
    });
  }

  get isWhole(): boolean {
    return this.#follower.isWhole;
  }

  round(): Promise<void> {
    return this.#follower.round(0).catch(() => undefined);
  }

  async untilWhole(): Promise<void> {
    this.failsIn = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3_000; i++) {
      await this.#follower.round(0);
      if (this.#follower.hasAll) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`the copy is not whole: ${this.copy.warnings.at(-1)}`);
  }

  async close(): Promise<void> {
    await this.source.store.close();
    await this.copy.store.close();
  }
}

const cell: fc.Arbitrary<PlainRow["values"]> = fc
  .record(
    {
      n: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      small: fc.bigInt({ min: 0n, max: 9n }),
      text: fc.string({ unit: "grapheme", maxLength: 6 }),
      list: fc.array(fc.string({ maxLength: 2 }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  )
  .map((values) => new Map(Object.entries(values).filter(([, value]) => value !== undefined)));
const rowsOf = fc.array(fc.record({ time: fc.integer({ min: 0, max: 4_000_000 }), values: cell }), {
  minLength: 1,
  maxLength: 40,
});
type Step =
  | { readonly kind: "append"; readonly rows: readonly PlainRow[]; readonly decimals: number }
  | { readonly kind: "round"; readonly failsIn: number }
  | { readonly kind: (typeof events)[number] };
const events = [
  ...["seal", "merge", "expire", "thin", "cut", "delete", "restart", "kill", "killCopy"],
] as const;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("append" as const),
      rows: rowsOf,
      decimals: fc.constantFrom(0, 0, 1, 3),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("round" as const), failsIn: fc.nat({ max: 12 }) }),
  },
  { weight: 5, arbitrary: fc.constant({ kind: "seal" as const }) },
  { weight: 5, arbitrary: fc.constantFrom(...events).map((kind) => ({ kind })) },
);

let batchNumber = 0;
async function append({ store }: Side, rows: readonly PlainRow[], decimals = 0): Promise<void> {
  const batch = batchOfRows(rows);
  const columns = batch.columns.map((column) =>
    column.type === "int" ? { ...column, decimals } : column,
  );
  const table = await store.findOrCreate("events");
  await table.append({
    batch: { ...batch, columns },
    batchId: `batch-${batchNumber++}`,
    contentHash: "hash",
  });
}

async function take(pair: Pair, one: Step): Promise<void> {
  const { source, copy } = pair;
  const table = source.store.find("events");
  switch (one.kind) {
    case "append":
      return append(source, one.rows, one.decimals);
    case "round":
      // 0 and 1: the first question fails; a round asks some ten.
      pair.failsIn = one.failsIn;
      return pair.round();
    case "seal":
      table?.sealOpen();
      return;
    case "merge":
      await table?.merge(farMs, noPause);
      return;
    case "expire": {
      const { generations = [] } =
        (await table?.planExpiry({ beforeMs: null, maxBytes: 40_000 })) ?? {};
      await source.store.drop("events", generations.slice(0, 1));
      return;
    }
    case "thin": {
      const { generations = [] } =
        (await table?.planThinning({ beforeMs: farMs, keepOneIn: 2 })) ?? {};
      await source.store.reduce("events", generations, { keepOneIn: 2 }, noPause);
      return;
    }
    case "cut": {
      const expiry = await table?.planCut(30_000);
      if (expiry?.keepNewest === undefined) return;
      const { generations, keepNewest } = expiry;
      await source.store.reduce("events", generations, { keepNewest }, noPause);
      return;
    }
    case "delete":
      await source.store.drop("events", null);
      return;
    case "restart":
      await source.store.close();
      await source.open();
      return pair.follow();
    case "kill":
      await source.kill();
      return pair.follow();
    case "killCopy":
      await copy.kill();
      return pair.follow();
  }
}

test("a copy has the rows of its source, whatever happened to both and to their link (C9)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      await rm(folder, { recursive: true, force: true });
      const pair = new Pair(folder);
      await pair.open();
      for (const one of steps) await take(pair, one);
      await pair.untilWhole();
      expect(pair.copy.rows()).toEqual(pair.source.rows());
      expect(pair.copy.minutes()).toEqual(pair.source.minutes());
      // What is on its disk is the same, and it can be the source from there on.
      await pair.copy.kill();
      expect(pair.copy.rows()).toEqual(pair.source.rows());
      const rows = [{ time: 5, values: new Map([["n", 7n]]) }];
      await append(pair.copy, rows);
      await append(pair.source, rows);
      expect(pair.copy.rows()).toEqual(pair.source.rows());
      await pair.close();
    }),
    { numRuns: 60 },
  );
});

/** How often each row is there. */
function countsOf(rows: readonly unknown[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const text = JSON.stringify(row, (_, value: unknown) =>
      typeof value === "bigint" ? `${value}n` : value instanceof Map ? [...value] : value,
    );
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

test("I7: a copy that is behind has no row twice, and none that its source has not", async () => {
  const growing = step.filter(({ kind }) =>
    ["append", "round", "seal", "merge", "killCopy"].includes(kind),
  );
  let behind = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(growing, { maxLength: 40 }), async (steps) => {
      await rm(folder, { recursive: true, force: true });
      const pair = new Pair(folder);
      await pair.open();
      for (const one of steps) {
        await take(pair, one);
        const source = countsOf(pair.source.rows());
        const copied = countsOf(pair.copy.rows());
        for (const [row, count] of copied) {
          expect(count).toBeLessThanOrEqual(source.get(row) ?? 0);
        }
        if (copied.size > 0 && copied.size < source.size) behind++;
      }
      await pair.close();
    }),
    { numRuns: 40 },
  );
  expect(behind).toBeGreaterThan(0);
});

test("a copy stands for its source once it has had all, also where rows came before the source was lost", async () => {
  await rm(folder, { recursive: true, force: true });
  const pair = new Pair(folder);
  await pair.open();
  const rows = [{ time: 5, values: new Map([["n", 7n]]) }];
  await append(pair.source, rows);
  expect(pair.isWhole).toBe(false);
  await pair.untilWhole();
  expect(pair.isWhole).toBe(true);
  await append(pair.source, rows);
  // The source says that there are rows, and is lost before it sends them.
  pair.failsIn = 2;
  await pair.round();
  expect(pair.copy.rows()).toHaveLength(1);
  expect(pair.isWhole).toBe(true);
  await pair.close();
});

test("a table of the same name is another one, also where its log is as long", async () => {
  const pair = new Pair(folder);
  await pair.open();
  const rowOf = (n: bigint): PlainRow => ({ time: 1, values: new Map([["n", n]]) });
  await append(pair.source, [rowOf(1n)]);
  await append(pair.source, [rowOf(2n)]);
  await pair.untilWhole();
  await pair.source.store.drop("events", null);
  for (const n of [3n, 4n, 5n]) await append(pair.source, [rowOf(n)]);
  await pair.untilWhole();
  expect(pair.copy.rows()).toEqual(pair.source.rows());
  await pair.close();
});

test("a segment of as many rows with other sample rates is another one", async () => {
  const pair = new Pair(folder);
  await pair.open();
  const steps = [
    { kind: "append", rows: [{ time: 0, values: new Map([["n", 0n]]) }], decimals: 0 },
    { kind: "seal" },
  ] as const;
  for (const one of steps) await take(pair, one);
  await pair.untilWhole();
  await take(pair, { kind: "thin" });
  expect(pair.source.rows().join()).toContain("sample_rate=2");
  await pair.untilWhole();
  expect(pair.copy.rows()).toEqual(pair.source.rows());
  await pair.close();
});
