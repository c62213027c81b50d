import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HadalError, sampleRateColumn } from "@hadal/sdk";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { isVisible, type UnitSnapshot, type UnitStamp } from "../../base/row/unitSnapshot.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows, type PlainRow, printPlainRows, readPlainRows } from "../testing/plainRows.js";
import { findBatches } from "./findBatches.js";
import { LeafStore } from "./leafStore.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-units-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const tables = ["a", "b"];
const gateways = ["", "east"];

interface Unit {
  readonly stamp: UnitStamp;
  state: "undecided" | "committed" | "aborted";
}

interface Stored {
  readonly table: string;
  readonly rows: readonly PlainRow[];
  /** Null: a batch that is a whole by itself. */
  readonly unit: Unit | null;
}

/** A leaf's store beside a list of all rows that were sent to it. */
class Leaf {
  store!: LeafStore;
  warnings: string[] = [];
  readonly stored: Stored[] = [];
  readonly units: Unit[] = [];
  readonly snapshots: UnitSnapshot[] = [];
  readonly #unnamed = new Set<Unit>();
  nowMs = 0;
  decimals = 0;
  #context!: ReturnType<typeof createLeafContext>;
  #path: string;
  #batches = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async open(): Promise<void> {
    this.#context = createLeafContext(256 * 2 ** 20, (text) => this.warnings.push(text));
    this.store = await LeafStore.open(this.#path, this.#context, { nowMs: () => this.nowMs });
  }

  /** As a process that is killed leaves its files. */
  async kill(): Promise<void> {
    const next = `${this.#path}x`;
    const copied = (): Promise<boolean> =>
      cp(this.#path, next, { recursive: true }).then(
        () => true,
        () => false,
      );
    while (!(await copied())) await rm(next, { recursive: true, force: true });
    const before = this.store;
    this.#path = next;
    await this.open();
    await before.close();
  }

  async append(table: string, rows: readonly PlainRow[], unit: Unit | null): Promise<void> {
    const found = await this.store.findOrCreate(table);
    await found.append({
      batch: this.#batchOf(rows),
      ...{ batchId: `batch-${this.#batches++}`, contentHash: "hash" },
      ...(unit !== null && { unit: unit.stamp }),
    });
    this.stored.push({ table, rows, unit });
  }

  /** With a column whose decimals rise: then what is open has to be sealed. */
  #batchOf(rows: readonly PlainRow[]): RowBatch {
    const { decimals } = this;
    const batch = batchOfRows(rows);
    const values = BigInt64Array.from(rows, () => 10n ** BigInt(decimals));
    const ones = { name: "one", type: "int", decimals, values, present: null } as const;
    return { ...batch, columns: [...batch.columns, ones] };
  }

  begin(gateway: string): Unit {
    const number = 1 + this.#ofGateway(gateway).length;
    const unit: Unit = { stamp: { gateway, number, parts: 3 }, state: "undecided" };
    this.units.push(unit);
    return unit;
  }

  async decide(unit: Unit, state: "committed" | "aborted"): Promise<void> {
    // The leaf knows of those that were aborted before: they are not named any more.
    for (const one of this.units) if (one.state === "aborted") this.#unnamed.add(one);
    unit.state = state;
    const { gateway, number } = unit.stamp;
    const { upTo, except } = this.snapshot[gateway]!;
    const aborted = state === "aborted" ? [number] : [];
    await this.store.units.settle(gateway, { upTo, except, aborted });
  }

  #ofGateway(gateway: string): readonly Unit[] {
    return this.units.filter(({ stamp }) => stamp.gateway === gateway);
  }

  /** What both gateways show now. */
  get snapshot(): UnitSnapshot {
    return Object.fromEntries(
      gateways.map((gateway) => {
        const units = this.#ofGateway(gateway);
        const hidden = units.filter(
          (unit) => unit.state !== "committed" && !this.#unnamed.has(unit),
        );
        const except = hidden.map(({ stamp }) => stamp.number);
        return [gateway, { upTo: units.length, except }];
      }),
    );
  }

  /** The rows that a query with the snapshot sees; null: it is too old. */
  seen(name: string, snapshot?: UnitSnapshot): string[] | null {
    const table = this.store.find(name);
    if (table === undefined) return [];
    try {
      const { segments, ofUnits } = table.readable(null, snapshot);
      const rows = readPlainRows(segments, this.#context);
      let counted = 0;
      for (const minutes of [table.minutes, ofUnits?.minutes ?? new Map<number, number>()])
        for (const count of minutes.values()) counted += count;
      expect(counted).toBe(rows.length);
      expect(segments.reduce((sum, { weightTotal }) => sum + weightTotal, 0)).toBe(weightOf(rows));
      return rows;
    } catch (error) {
      if (error instanceof HadalError && error.code === "snapshot-too-old") return null;
      throw error;
    }
  }

  expected(name: string, snapshot: UnitSnapshot): string[] {
    const one: readonly [string, bigint] = ["one", 1n];
    return printPlainRows(
      this.stored
        .filter(({ table, unit }) => table === name && isShown(unit, snapshot))
        .flatMap(({ rows }) => rows)
        .map(({ time, values }) => ({ time, values: new Map([...values, one]) })),
    );
  }

  /** What a leaf does from time to time. */
  async work(): Promise<void> {
    for (const table of this.store.tables) {
      await table.settleUnits();
      table.sealOpen();
      await table.settled();
      while (await table.merge(10 ** 13, async () => undefined));
    }
  }

  /** Flips a bit in one of its files, and starts again. */
  async killWithDamage(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      const path = join(this.#path, name);
      const bytes = await readFile(path);
      bytes[Math.floor(bytes.length / 2)]! ^= 4;
      await writeFile(path, bytes);
    }
    await this.kill();
  }

  async filesOf(): Promise<readonly string[]> {
    return (await readdir(this.#path, { recursive: true })).map((name) => String(name));
  }

  rows(name: string): string[] {
    return readPlainRows(this.store.find(name)?.snapshot() ?? [], this.#context);
  }
}

const isShown = (unit: Unit | null, snapshot: UnitSnapshot): boolean =>
  unit === null || (unit.state !== "aborted" && isVisible(unit.stamp, snapshot));

function weightOf(rows: readonly string[]): number {
  const rateOf = (row: string): number =>
    Number(new RegExp(`\\|${sampleRateColumn}=(\\d+)`).exec(row)?.[1] ?? 1);
  return rows.reduce((sum, row) => sum + rateOf(row), 0);
}

const values = fc
  .record(
    {
      wide: fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
      narrow: fc.bigInt({ min: 5_000_000_000n, max: 5_000_000_100n }),
      text: fc.string({ unit: "grapheme", maxLength: 6 }),
      list: fc.array(fc.string({ maxLength: 2 }), { maxLength: 3 }),
      [sampleRateColumn]: fc.bigInt({ min: 2n, max: 9n }),
    },
    { requiredKeys: [] },
  )
  .map((cells) => new Map(Object.entries(cells).filter(([, value]) => value !== undefined)));
const rowsOf = fc.array(fc.record({ time: fc.integer({ min: 0, max: 4_000_000 }), values }), {
  minLength: 1,
  maxLength: 70,
});
const table = fc.constantFrom(...tables);
const pick = fc.nat({ max: 99 });

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("whole" as const), table, rows: rowsOf }) },
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant("part" as const), table, rows: rowsOf, pick }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("decide" as const),
      state: fc.constantFrom("committed" as const, "committed" as const, "aborted" as const),
      pick,
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("ask" as const), table, pick }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.nat({ max: 2_500 }) }),
  },
  ...(["finer", "work", "restart"] as const).map((kind) => ({
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant(kind) }),
  })),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function take(leaf: Leaf, one: Step): Promise<void> {
  const undecided = leaf.units.filter(({ state }) => state === "undecided");
  switch (one.kind) {
    case "whole":
      return leaf.append(one.table, one.rows, null);
    case "part": {
      const unit =
        undecided[one.pick % (undecided.length + 1)] ??
        leaf.begin(gateways[one.pick % gateways.length]!);
      return leaf.append(one.table, one.rows, unit);
    }
    case "decide": {
      const unit = undecided[one.pick % Math.max(1, undecided.length)];
      if (unit !== undefined) await leaf.decide(unit, one.state);
      return;
    }
    case "ask":
      return ask(leaf, one.table, one.pick);
    case "pass":
      leaf.nowMs += one.ms;
      return;
    case "finer":
      leaf.decimals++;
      return;
    case "work":
      return leaf.work();
    case "restart":
      return leaf.kill();
  }
}

function ask(leaf: Leaf, name: string, pick: number): void {
  const { snapshot, snapshots } = leaf;
  expect(leaf.seen(name, snapshot)).toEqual(leaf.expected(name, snapshot));
  expect(leaf.seen(name)).toEqual(leaf.expected(name, snapshot));
  snapshots.push(snapshot);
  const older = snapshots[pick % snapshots.length]!;
  const seen = leaf.seen(name, older);
  if (seen !== null) expect(seen).toEqual(leaf.expected(name, older));
}

test("a query sees the units of its snapshot whole, and no row of others (L1, L2, L4)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
      const leaf = new Leaf(await mkdtemp(join(folder, "run-")));
      await leaf.open();
      for (const one of steps) await take(leaf, one);
      for (const unit of leaf.units)
        if (unit.state === "undecided") await leaf.decide(unit, "committed");
      leaf.nowMs += 5_000;
      for (let round = 0; round < 3; round++) await leaf.work();
      for (const name of tables) {
        ask(leaf, name, 0);
        // Nothing is left of aborted units, nor is a committed one apart from other rows.
        expect(leaf.rows(name)).toEqual(leaf.expected(name, leaf.snapshot));
        expect(leaf.store.find(name)?.undecided ?? []).toEqual([]);
      }
      await leaf.store.close();
      expect((await leaf.filesOf()).filter((name) => name.endsWith(".hdl"))).toEqual([]);
      await leaf.open();
      for (const name of tables) ask(leaf, name, 0);
      expect(leaf.warnings).toEqual([]);
      await leaf.store.close();
    }),
    { numRuns: 40 },
  );
});

const row = (time: number): PlainRow => ({ time, values: new Map([["n", BigInt(time)]]) });

async function opened(): Promise<Leaf> {
  const leaf = new Leaf(folder);
  await leaf.open();
  return leaf;
}

const jobOf = (batchId: string, time: number, unit?: UnitStamp) => ({
  batch: batchOfRows([row(time)]),
  ...{ batchId, contentHash: `hash of ${time}` },
  ...(unit !== undefined && { unit }),
});
const stamp = (number: number): UnitStamp => ({ gateway: "", number, parts: 2 });

test("a batch is known while its unit is undecided, and is a repetition afterwards", async () => {
  const leaf = await opened();
  const table = await leaf.store.findOrCreate("a");
  await table.append(jobOf("k/0", 1, stamp(1)));
  const held = { receipt: ["k/0", "hash of 1", 1] };
  const undecided = [{ ...held, unit: stamp(1) }];
  expect(await findBatches(leaf.store, "a", ["k/0"])).toEqual(undecided);
  expect(await table.append(jobOf("k/0", 1, stamp(1)))).toEqual({ rowCount: 1, duplicate: true });
  const conflict = { code: "idempotency-conflict" };
  await expect(table.append(jobOf("k/0", 2, stamp(1)))).rejects.toMatchObject(conflict);
  await leaf.kill();
  expect(await findBatches(leaf.store, "a", ["k/0"])).toEqual(undecided);
  await leaf.store.units.settle("", { upTo: 1, except: [], aborted: [] });
  expect(await findBatches(leaf.store, "a", ["k/0"])).toEqual([held]);
  const again = leaf.store.find("a")!;
  expect(await again.append(jobOf("k/0", 1, stamp(2)))).toEqual({ rowCount: 1, duplicate: true });
  await leaf.store.close();
});

test("a batch that comes again in another unit replaces the undecided one, also in the log", async () => {
  const leaf = await opened();
  const table = await leaf.store.findOrCreate("a");
  await table.append(jobOf("k/0", 1, stamp(1)));
  await table.append(jobOf("k/0", 1, stamp(2)));
  expect(leaf.rows("a")).toHaveLength(1);
  await leaf.kill();
  expect(leaf.rows("a")).toHaveLength(1);
  await leaf.store.units.settle("", { upTo: 2, except: [1], aborted: [1] });
  expect(leaf.seen("a")).toEqual(["1|n=1"]);
  await leaf.store.close();
});

test("no batch of a decided unit is taken any more", async () => {
  const leaf = await opened();
  const table = await leaf.store.findOrCreate("a");
  await table.append(jobOf("k/0", 1, stamp(1)));
  await leaf.store.units.settle("", { upTo: 2, except: [1], aborted: [1] });
  for (const number of [1, 2])
    await expect(table.append(jobOf("k/1", 2, stamp(number)))).rejects.toMatchObject({
      code: "unavailable",
    });
  // It is stored in a later one.
  await table.append(jobOf("k/0", 1, stamp(3)));
  await leaf.store.units.settle("", { upTo: 3, except: [1], aborted: [1] });
  expect(leaf.seen("a")).toEqual(["1|n=1"]);
  await leaf.store.close();
});

test("a unit that is aborted while its batch is written leaves nothing", async () => {
  const leaf = await opened();
  const table = await leaf.store.findOrCreate("a");
  await table.append(jobOf("before", 9));
  // Whichever comes first.
  for (let number = 1; number <= 20; number++) {
    const except = Array.from({ length: number }, (_, i) => i + 1);
    await Promise.allSettled([
      leaf.store.units.settle("", { upTo: number, except, aborted: except }),
      table.append(jobOf(`k/${number}`, 1, stamp(number))),
    ]);
    await table.settled();
    expect(leaf.rows("a")).toEqual(["9|n=9"]);
  }
  await leaf.kill();
  expect(leaf.seen("a")).toEqual(["9|n=9"]);
  await leaf.store.close();
});

test("rows of an aborted unit stay away while a log has them, also when reports name it no longer", async () => {
  const leaf = await opened();
  await leaf.append("a", [row(9)], null);
  const given = leaf.begin("");
  await leaf.append("a", [row(1)], given);
  await leaf.decide(given, "aborted");
  const kept = leaf.begin("");
  await leaf.append("a", [row(2)], kept);
  await leaf.decide(kept, "committed");
  for (let starts = 0; starts < 2; starts++) {
    expect(leaf.seen("a")).toEqual(leaf.expected("a", leaf.snapshot));
    expect(leaf.seen("a", leaf.snapshot)).toHaveLength(2);
    await leaf.kill();
  }
  leaf.nowMs += 5_000;
  for (let round = 0; round < 3; round++) await leaf.work();
  await leaf.store.close();
  await leaf.open();
  // Its log is gone.
  await leaf.decide(leaf.begin(""), "committed");
  expect(leaf.store.units.printed).toEqual([["", { upTo: 3, except: [], aborted: [] }]]);
  expect(leaf.seen("a")).toHaveLength(2);
  await leaf.store.close();
});

test("segments are not merged across rows that wait for their unit", async () => {
  const leaf = await opened();
  const unit = leaf.begin("");
  await leaf.append("a", [row(1)], null);
  leaf.decimals++;
  await leaf.append("a", [row(2)], unit);
  leaf.decimals++;
  await leaf.append("a", [row(3)], null);
  for (let round = 0; round < 3; round++) await leaf.work();
  const sealed = leaf.store
    .find("a")!
    .snapshot()
    .filter(({ sorted }) => sorted);
  expect(sealed).toHaveLength(2);
  await leaf.kill();
  await leaf.decide(unit, "committed");
  ask(leaf, "a", 0);
  leaf.nowMs += 5_000;
  for (let round = 0; round < 3; round++) await leaf.work();
  expect(leaf.store.find("a")!.snapshot()).toHaveLength(1);
  ask(leaf, "a", 0);
  await leaf.store.close();
});

test("many committed units are soon read as one segment", async () => {
  const leaf = await opened();
  const table = await leaf.store.findOrCreate("a");
  for (let number = 1; number <= 200; number++) {
    await table.append(jobOf(`k/${number}`, number, stamp(number)));
    await leaf.store.units.settle("", { upTo: number, except: [], aborted: [] });
  }
  await table.settled();
  expect(leaf.seen("a")).toHaveLength(200);
  expect(table.shown().length).toBeLessThan(70);
  const old = { "": { upTo: 10, except: [] } };
  expect(leaf.seen("a", old)).toBe(null);
  await leaf.store.close();
});

/** A leaf with a committed unit, 1, and an aborted one, 2, that its gateway has forgotten. */
async function withForgotten(): Promise<Leaf> {
  const leaf = await opened();
  await leaf.append("a", [row(9)], null);
  const [kept, given] = [leaf.begin(""), leaf.begin("")];
  await leaf.append("a", [row(1)], kept);
  await leaf.append("a", [row(2)], given);
  await leaf.decide(given, "aborted");
  await leaf.decide(kept, "committed");
  const sound = leaf.begin("");
  await leaf.append("a", [row(3)], sound);
  await leaf.decide(sound, "committed");
  expect(leaf.snapshot).toMatchObject({ "": { upTo: 3, except: [] } });
  return leaf;
}
const forgottenReport = { upTo: 3, except: [], aborted: [] };
const areFilesWarned = (count: number) =>
  Array.from({ length: count }, () => expect.stringContaining("decided units cannot be read"));

test("what is known of units is kept twice: a damaged file loses nothing", async () => {
  const leaf = await withForgotten();
  for (const file of ["units.json", "units-2.json"]) {
    await leaf.killWithDamage(file);
    expect(leaf.warnings).toEqual(areFilesWarned(1));
    leaf.warnings = [];
    expect(leaf.seen("a", leaf.snapshot)).toEqual(leaf.expected("a", leaf.snapshot));
    // The next report makes the file again, also where it says nothing new.
    await leaf.store.units.settle("", forgottenReport);
    expect(leaf.seen("a", leaf.snapshot)).toHaveLength(3);
  }
  await leaf.store.close();
});

test("where both files are damaged, rows of units stay away until a gateway names the aborted ones", async () => {
  const leaf = await withForgotten();
  await leaf.killWithDamage("units.json", "units-2.json");
  expect(leaf.warnings).toEqual(areFilesWarned(2));
  const whole = leaf.expected("a", { "": { upTo: 0, except: [] } });
  expect(leaf.seen("a", leaf.snapshot)).toEqual(whole);
  // Killed before anything was written, and after a report that does not name what is forgotten.
  await leaf.kill();
  await leaf.store.units.settle("", forgottenReport);
  expect(leaf.seen("a", leaf.snapshot)).toEqual(whole);
  await leaf.kill();
  await leaf.store.units.settle("", forgottenReport);
  expect(leaf.seen("a", leaf.snapshot)).toEqual(whole);
  // A gateway that knows all from 3 on, and at last one that knows all.
  await leaf.store.units.settle("", forgottenReport, { from: 3, forgotten: [] });
  expect(leaf.seen("a", leaf.snapshot)).toHaveLength(2);
  await leaf.store.units.settle("", forgottenReport, { from: 1, forgotten: [2] });
  for (let starts = 0; starts < 2; starts++) {
    expect(leaf.seen("a", leaf.snapshot)).toEqual(leaf.expected("a", leaf.snapshot));
    expect(leaf.seen("a", leaf.snapshot)).toHaveLength(3);
    await leaf.kill();
  }
  leaf.nowMs += 5_000;
  for (let round = 0; round < 3; round++) await leaf.work();
  expect(leaf.rows("a")).toEqual(leaf.expected("a", leaf.snapshot));
  await leaf.store.close();
});
