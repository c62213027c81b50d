import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Thinning, ThinningBasis } from "../../base/row/reduction.js";
import { LeafStore } from "../leaf/leafStore.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import type { Table } from "../table/table.js";
import { appendSealed } from "../testing/appendSealed.js";
import { createLeafContext } from "../testing/leafContext.js";
import { type PlainRow, readPlainRows, plainRow as row } from "../testing/plainRows.js";
import { chanceOfText } from "./chance.js";

const farMs = 1e12;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-basis-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Opened {
  readonly store: LeafStore;
  readonly context: TableContext;
  /** Rows as they are stored: their cells by column. */
  rows(): readonly ReadonlyMap<string, string>[];
}

async function open(): Promise<Opened> {
  const context = createLeafContext(384 * 2 ** 20, (text) => expect.fail(text));
  const store = await LeafStore.open(folder, context);
  const rows = () =>
    readPlainRows(store.find("t")?.snapshot() ?? [], context).map((text) => {
      const [, ...cells] = text.split("|");
      return new Map(cells.map((cell) => cell.split("=") as [string, string]));
    });
  return { store, context, rows };
}

const noPause = async (): Promise<void> => undefined;

/** As retention does it. The planned rows are those that go. */
async function thin(table: Table, thinning: Thinning): Promise<void> {
  const before = table.rowCount;
  const { generations, rows } = await table.planThinning({ beforeMs: farMs, ...thinning });
  await table.reduceSegments(generations, thinning, noPause);
  expect(before - table.rowCount).toBe(rows.counts.reduce((sum, count) => sum + count, 0));
}

const rateOf = (cells: ReadonlyMap<string, string>): number =>
  Number(cells.get("sample_rate") ?? "1");
const weightOf = (rows: readonly ReadonlyMap<string, string>[]): number =>
  rows.reduce((sum, cells) => sum + rateOf(cells), 0);
const thinnedOf = (table: Table) =>
  table.snapshot().map((segment) => (segment as SealedSegment).thinned);

const byKey = (column: string): ThinningBasis => ({ kind: "key", column });
const byGroups = (columns: readonly string[], keepAtLeast: number): ThinningBasis => ({
  ...{ kind: "groups", columns, keepAtLeast },
});

/** Its columns: numbers, few strings, and long texts of which each is another one. */
const userRows = (users: number, rowsEach: number, first = 0): PlainRow[] =>
  Array.from({ length: users * rowsEach }, (_, i) => {
    const user = i % users;
    const text = `user ${user} of ${"x".repeat(40)}`;
    return row(first + i, { n: BigInt(user), name: `u${user}`, text, part: BigInt(i) });
  });

test.each(["n", "name", "text"])(
  "by %s each value stays with all of its rows or goes, the same in every segment, and restarts agree",
  async (column) => {
    const { store, rows } = await open();
    await appendSealed(store, userRows(2_000, 3));
    const table = await appendSealed(store, userRows(2_000, 2, 10_000));
    await thin(table, { keepOneIn: 5, basis: byKey(column) });
    const rowsOf = (all: readonly ReadonlyMap<string, string>[]): Map<string, number> => {
      const counts = new Map<string, number>();
      for (const cells of all) {
        expect(rateOf(cells)).toBe(5);
        counts.set(cells.get(column)!, (counts.get(column) ?? 0) + 1);
      }
      return counts;
    };
    const kept = rowsOf(rows());
    // 2,000 values, each with the chance 1/5: 400 ± 18.
    expect(kept.size).toBeGreaterThan(340);
    expect(kept.size).toBeLessThan(460);
    expect(rows()).toHaveLength(5 * kept.size);
    expect(thinnedOf(table)).toEqual([5, 5]);

    // Those that a later order keeps are some of these, whatever came in between.
    const left = rows();
    await store.close();
    const again = await open();
    expect(again.rows()).toEqual(left);
    const loaded = again.store.find("t")!;
    await thin(loaded, { keepOneIn: 20, basis: byKey(column) });
    const later = new Set(again.rows().map((cells) => cells.get(column)!));
    expect([...later].filter((value) => !kept.has(value))).toEqual([]);
    expect(later.size).toBeGreaterThan(50);
    expect(later.size).toBeLessThan(150);
    expect(again.rows().every((cells) => rateOf(cells) === 20)).toBe(true);
    await again.store.close();
  },
);

test("rows without a key go by chance, each for itself; a column that no row has decides nothing", async () => {
  const { store, rows } = await open();
  const keyed = Array.from({ length: 3_000 }, (_, i) =>
    row(i, i % 3 === 0 ? { user: "one", i: BigInt(i) } : { i: BigInt(i) }),
  );
  const table = await appendSealed(store, keyed);
  await thin(table, { keepOneIn: 4, basis: byKey("user") });
  const users = rows().filter((cells) => cells.has("user")).length;
  expect([0, 1_000]).toContain(users);
  expect(rows()).toHaveLength(users + 500);
  await thin(table, { keepOneIn: 8, basis: byKey("nothing") });
  expect(rows().length).toBe((users + 500) / 2);
  await store.close();
});

test("rare groups are kept whole and unchanged, frequent ones thinned as far as they may", async () => {
  const { store, rows } = await open();
  const sizes = new Map([
    ["often", 10_000],
    ["some", 250],
    ["rare", 19],
    ["once", 1],
  ]);
  const all = [...sizes].flatMap(([service, count]) =>
    Array.from({ length: count }, (_, i) => row(i, { service, i: BigInt(i) })),
  );
  const table = await appendSealed(store, [...all, row(5, { i: 0n })]);
  await thin(table, { keepOneIn: 100, basis: byGroups(["service"], 10) });
  const of = (service: string | undefined) =>
    rows().filter((cells) => cells.get("service") === service);
  expect(
    [of("often"), of("some"), of("rare"), of("once"), of(undefined)].map(({ length }) => length),
  ).toEqual([100, 10, 19, 1, 1]);
  for (const [service, count] of sizes) expect(weightOf(of(service))).toBe(count);
  // Rows that stand for themselves alone have no rate.
  expect([...of("rare"), ...of("once")].some((cells) => cells.has("sample_rate"))).toBe(false);
  expect(thinnedOf(table)).toEqual([100]);
  await thin(table, { keepOneIn: 100, basis: byGroups(["service"], 10) });
  expect(table.rowCount).toBe(131);
  await store.close();
});

test("a segment of rare groups alone stays as it is, and is not looked at again", async () => {
  const { store, rows } = await open();
  const table = await appendSealed(
    store,
    Array.from({ length: 300 }, (_, i) => row(i, { id: BigInt(i) })),
  );
  const before = rows();
  const thinning = { keepOneIn: 10, basis: byGroups(["id"], 1) };
  await thin(table, thinning);
  expect(rows()).toEqual(before);
  expect(thinnedOf(table)).toEqual([10]);
  const plan = await table.planThinning({ beforeMs: farMs, ...thinning });
  expect(plan.generations).toEqual([]);
  await store.close();
});

test("segments whose values were thinned differently are not merged", async () => {
  const { store } = await open();
  await appendSealed(store, userRows(500, 2));
  const table = await appendSealed(store, userRows(500, 2, 5_000));
  const [first, second] = table.sealed.map(({ generation }) => generation);
  await table.reduceSegments([first!], { keepOneIn: 4, basis: byKey("n") }, noPause);
  await table.reduceSegments([second!], { keepOneIn: 4 }, noPause);
  expect(await table.merge(farMs, noPause)).toBe(false);
  await thin(table, { keepOneIn: 8, basis: byKey("n") });
  expect(await table.merge(farMs, noPause)).toBe(false);
  await store.close();
});

test("however rows are thinned, and however often, counts stay right on average", async () => {
  const { store, rows } = await open();
  const anyBasis = fc.constantFrom<ThinningBasis | undefined>(
    ...[undefined, byKey("name"), byKey("n"), byGroups(["g"], 3), byGroups(["g", "h"], 1)],
  );
  const anyOrders = fc.array(fc.tuple(fc.integer({ min: 2, max: 3 }), anyBasis), {
    ...{ minLength: 1, maxLength: 3 },
  });
  let [estimated, stored, spread] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(anyOrders, async (orders) => {
      const count = 1_200;
      // Each value of the keys has one row: the spread of the count is that of single rows.
      const some = Array.from({ length: count }, (_, i) => {
        const id = stored + i;
        const rate = i % 5 === 0 ? { sample_rate: 3n } : {};
        return row(i, {
          ...{ n: BigInt(id), name: `name ${id}`, g: `g${i % 97}`, h: `h${i % 2}` },
          ...rate,
        });
      });
      const table = await appendSealed(store, some);
      let keepOneIn = 1;
      for (const [factor, basis] of orders) {
        keepOneIn *= factor;
        await thin(table, basis === undefined ? { keepOneIn } : { keepOneIn, basis });
        expect(table.rowCount).toBeGreaterThanOrEqual(count / keepOneIn / 4);
      }
      const weight = weightOf(rows());
      const whole = some.reduce(
        (sum, { values }) => sum + Number(values.get("sample_rate") ?? 1n),
        0,
      );
      estimated += weight;
      stored += whole;
      // Σ w²(keepOneIn − 1) bounds the variance of the estimate.
      spread += some.reduce((sum, { values }) => {
        const rate = Number(values.get("sample_rate") ?? 1n);
        return sum + rate ** 2 * (keepOneIn - 1);
      }, 0);
      await store.drop("t", null);
    }),
    { numRuns: 60, seed: 7 },
  );
  expect(Math.abs(estimated - stored)).toBeLessThan(4 * Math.sqrt(spread));
  await store.close();
});

test("values are chosen evenly, and independently of other columns", () => {
  const places = new Array<number>(64).fill(0);
  for (let i = 0; i < 64_000; i++) {
    const place = Math.floor(chanceOfText("a", `user-${i}`) * 8);
    places[place * 8 + Math.floor(chanceOfText("b", `user-${i}`) * 8)]!++;
  }
  const chi2 = places.reduce((sum, count) => sum + (count - 1_000) ** 2 / 1_000, 0);
  // 63 degrees of freedom: beyond 103 once in a thousand; the choice is the same in every run.
  expect(chi2).toBeLessThan(103);
  // Of a million values each part in a million has its own.
  const few = Array.from({ length: 1_000_000 }, (_, i) => chanceOfText("a", String(i)));
  const share = few.filter((chance) => chance < 1e-5).length;
  expect(share).toBeGreaterThan(0);
  expect(share).toBeLessThan(30);
});
