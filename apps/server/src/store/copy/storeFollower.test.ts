import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CopySource, DecidedUnits } from "../../base/copy/copySource.js";
import type { UnitStamp } from "../../base/row/unitSnapshot.js";
import { LeafStore } from "../leaf/leafStore.js";
import type { StoredSegment } from "../segment/segmentView.js";
import type { Table } from "../table/table.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows, type PlainRow, readPlainRows } from "../testing/plainRows.js";
import { CopyHolders } from "./copyHolders.js";
import { LeafCopySource } from "./leafCopySource.js";
import { LeafFolder } from "./leafFolder.js";
import { type PlannedRemoval, PlannedRemovals } from "./plannedRemovals.js";
import { StoreFollower } from "./storeFollower.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-copy-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const memoryBytes = 256 * 2 ** 20;
const farMs = 10 ** 13;
const noPause = async (): Promise<void> => undefined;

let nowMs = 0;

/** A leaf's store in a folder, as a process opens it. */
class Side {
  warnings: string[] = [];
  store!: LeafStore;
  folder!: LeafFolder;
  removals!: PlannedRemovals;
  #context!: ReturnType<typeof createLeafContext>;

  constructor(
    public path: string,
    readonly isCopy: boolean,
  ) {}

  async open(): Promise<void> {
    this.#context = createLeafContext(memoryBytes, (text) => this.warnings.push(text));
    const options = { nowMs: () => nowMs };
    this.store = await LeafStore.open(join(this.path, "tables"), this.#context, options);
    this.store.isCopy = this.isCopy;
    this.folder = await LeafFolder.open(this.path, (text) => this.warnings.push(text));
    if (!this.isCopy) await this.folder.complete();
    this.removals = new PlannedRemovals(this.store, this.folder);
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

  /** Also those of undecided units. */
  rows(): string[] {
    return this.#rowsOf((table) => table.snapshot());
  }

  shownRows(): string[] {
    return this.#rowsOf((table) => table.shown());
  }

  #rowsOf(segmentsOf: (table: Table) => readonly StoredSegment[]): string[] {
    return [...this.store.tables].flatMap((table) =>
      readPlainRows(segmentsOf(table), this.#context).map((row) => `${table.name}: ${row}`),
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
  readonly units = new Units();
  /** Changes the files of segments on their way to the copy. */
  sends: (file: Uint8Array) => Uint8Array = (file) => file;

  constructor(path: string) {
    this.source = new Side(join(path, "source"), false);
    this.copy = new Side(join(path, "copy"), true);
  }

  async open(): Promise<void> {
    await this.source.open();
    await this.copy.open();
    this.follow();
  }

  follow(): void {
    const origin = new LeafCopySource({
      store: this.source.store,
      folder: this.source.folder,
      holders: this.holders,
    });
    const asked = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
      --this.failsIn === 0 ? Promise.reject(new Error("the link broke")) : ask();
    const source: CopySource = {
      state: (request) => asked(() => origin.state(request)),
      segment: (table, generation) =>
        asked(async () => {
          const file = await origin.segment(table, generation);
          return file === null ? null : this.sends(file);
        }),
      log: (table, range) => asked(() => origin.log(table, { ...range, bytesMax: 4_000 })),
      logHash: (table, generation, bytes) => asked(() => origin.logHash(table, generation, bytes)),
    };
    this.#follower = new StoreFollower({
      ...{ store: this.copy.store, source, holder: "copy" },
      onFolder: (folderId) => this.copy.folder.copyOf(folderId),
      onWhole: (removals) => this.copy.folder.noteCopied(removals),
      warn: (text) => this.copy.warnings.push(text),
    });
  }

  get isWhole(): boolean {
    return this.#follower.isWhole;
  }

  get problem(): string | null {
    return this.#follower.problem;
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
  | {
      readonly kind: "appendPart";
      readonly rows: readonly PlainRow[];
      readonly decimals: number;
      /** Of a new unit, or of the last one. */
      readonly isNew: boolean;
    }
  | { readonly kind: "settle"; readonly isCommitted: boolean }
  | { readonly kind: "pass" }
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
    arbitrary: fc.record({
      kind: fc.constant("appendPart" as const),
      rows: rowsOf,
      decimals: fc.constantFrom(0, 1, 3),
      isNew: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("settle" as const), isCommitted: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "pass" as const }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("round" as const), failsIn: fc.nat({ max: 12 }) }),
  },
  { weight: 5, arbitrary: fc.constant({ kind: "seal" as const }) },
  { weight: 5, arbitrary: fc.constantFrom(...events).map((kind) => ({ kind })) },
);

let batchNumber = 0;
async function append(
  { store }: Side,
  rows: readonly PlainRow[],
  decimals = 0,
  unit: UnitStamp | null = null,
): Promise<void> {
  const batch = batchOfRows(rows);
  const columns = batch.columns.map((column) =>
    column.type === "int" ? { ...column, decimals } : column,
  );
  const table = await store.findOrCreate("events");
  await table.append({
    batch: { ...batch, columns },
    batchId: `batch-${batchNumber++}`,
    contentHash: "hash",
    ...(unit !== null && { unit }),
  });
}

/** Units of the source's only gateway: those up to `number`, of which some are not decided. */
class Units {
  number = 0;
  undecided: number[] = [];
  readonly aborted: number[] = [];

  stampOf(isNew: boolean): UnitStamp {
    if (isNew || this.undecided.length === 0) this.undecided.push(++this.number);
    return { gateway: "", number: this.undecided.at(-1)!, parts: 9 };
  }

  /** Decides the oldest. */
  decide(isCommitted: boolean): DecidedUnits {
    const decided = this.undecided.shift();
    if (decided !== undefined && !isCommitted) this.aborted.push(decided);
    const { number, undecided, aborted } = this;
    return { upTo: number, except: [...undecided, ...aborted], aborted };
  }
}

interface PlannedStep {
  readonly plan: PlannedRemoval;
  carryOut(): Promise<void>;
}

/** What a leaf is about to remove; null: nothing. */
async function planned(
  { store, removals }: Side,
  kind: "expire" | "thin" | "cut" | "delete",
): Promise<PlannedStep | null> {
  const name = "events";
  if (kind === "delete") {
    const plan = await removals.planDrop(name);
    return { plan, carryOut: () => store.drop(name, null) };
  }
  const plan: PlannedRemoval = await removals.plan(name, (table) => {
    if (kind === "expire") return table.planExpiry({ beforeMs: null, maxBytes: 40_000 });
    if (kind === "thin") return table.planThinning({ beforeMs: farMs, keepOneIn: 2 });
    return table.planCut(30_000);
  });
  const { generations, keepNewest } = plan;
  if (generations.length === 0) return null;
  if (kind === "expire") return { plan, carryOut: () => store.drop(name, generations) };
  const reduction = keepNewest === undefined ? { keepOneIn: 2 } : { keepNewest };
  return { plan, carryOut: () => store.reduce(name, generations, reduction, noPause) };
}

async function take(pair: Pair, one: Step): Promise<void> {
  const { source, copy } = pair;
  const table = source.store.find("events");
  switch (one.kind) {
    case "append":
      return append(source, one.rows, one.decimals);
    case "appendPart":
      return append(source, one.rows, one.decimals, pair.units.stampOf(one.isNew));
    case "settle":
      return source.store.units.settle("", pair.units.decide(one.isCommitted));
    case "pass":
      nowMs += 3_000;
      await table?.settleUnits();
      return;
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
    case "expire":
    case "thin":
    case "cut":
    case "delete": {
      const removal = await planned(source, one.kind);
      return removal?.carryOut();
    }
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
    ["append", "appendPart", "settle", "pass", "round", "seal", "merge", "killCopy"].includes(kind),
  );
  let behind = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(growing, { maxLength: 40 }), async (steps) => {
      await rm(folder, { recursive: true, force: true });
      const pair = new Pair(folder);
      await pair.open();
      for (const one of steps) {
        await take(pair, one);
        const source = countsOf(pair.source.shownRows());
        const copied = countsOf(pair.copy.shownRows());
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

/** Minutes of event time with the rows that a query counts. */
function countedMinutes({ store }: Side): Map<number, number> {
  const counted = new Map<number, number>();
  for (const table of store.tables) {
    const { leaving } = table.readable(null);
    for (const [minute, rows] of table.minutes) {
      const left = rows - (leaving?.count(minute, minute + 1) ?? 0);
      if (left > 0) counted.set(minute, left);
    }
  }
  return counted;
}

test("I4: a copy that knows of all removals never has more rows than are expected", async () => {
  const withDelays = fc.record({ step, isLate: fc.boolean() });
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(withDelays, { maxLength: 60 }), async (steps) => {
      await rm(folder, { recursive: true, force: true });
      const pair = new Pair(folder);
      await pair.open();
      let expected = new Map<number, number>();
      const expect_ = (minute: number, rows: number): void =>
        void expected.set(minute, (expected.get(minute) ?? 0) + rows);
      // An order that has been planned and counted, and comes later.
      let late: PlannedStep | null = null;
      for (const { step: one, isLate } of steps) {
        const { kind } = one;
        if (kind === "expire" || kind === "thin" || kind === "cut" || kind === "delete") {
          await late?.carryOut();
          late = await planned(pair.source, kind);
          if (kind === "delete") expected = new Map();
          const { minutes, counts } = late?.plan.rows ?? { minutes: [], counts: [] };
          for (const [i, minute] of minutes.entries()) expect_(minute, -counts[i]!);
          if (!isLate) {
            await late?.carryOut();
            late = null;
          }
        } else {
          if (kind === "append" || kind === "appendPart") {
            // Rows of a new table of that name come after the old one is gone.
            await late?.carryOut();
            late = null;
            for (const { time } of one.rows) expect_(Math.floor(time / 60_000), 1);
          }
          await take(pair, one);
        }
        const { removals } = pair.copy.folder;
        if (removals === null || removals < pair.source.folder.removals!) continue;
        for (const [minute, rows] of countedMinutes(pair.copy)) {
          asked++;
          expect(rows).toBeLessThanOrEqual(expected.get(minute) ?? 0);
        }
        const seen = [...pair.copy.store.tables].flatMap((table) => table.readable(null).segments);
        const counts = [...countedMinutes(pair.copy).values()].reduce((sum, n) => sum + n, 0);
        expect(seen.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(counts);
      }
      await pair.close();
    }),
    { numRuns: 60 },
  );
  expect(asked).toBeGreaterThan(0);
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

test("a segment of a newer version is named as the problem, and what the copy has stays", async () => {
  const pair = new Pair(folder);
  await pair.open();
  const rows = [{ time: 5, values: new Map([["n", 7n]]) }];
  await append(pair.source, rows);
  await take(pair, { kind: "seal" });
  await pair.untilWhole();
  const held = pair.copy.rows();
  expect([held.length, pair.problem]).toEqual([1, null]);
  pair.sends = (file) => {
    const newer = Uint8Array.from(file);
    newer[4] = 99;
    return newer;
  };
  await append(pair.source, rows);
  await take(pair, { kind: "seal" });
  // As a copy that has only the file of the newer segment.
  for (let i = 0; i < 12; i++) {
    await take(pair, { kind: "merge" });
    await pair.round();
    expect(pair.copy.rows()).toEqual(held);
  }
  expect(pair.problem).toMatch(/has version 99/);
  expect(pair.copy.warnings).toHaveLength(1);
  pair.sends = (file) => file;
  await pair.untilWhole();
  expect(pair.copy.rows()).toEqual(pair.source.rows());
  expect(pair.problem).toBe(null);
  await pair.close();
});
