import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "./support/startCluster.js";
import { waitUntil } from "./support/waitUntil.js";

const dayMs = 86_400_000;
let folder = "";
let cluster: Cluster;

const start = async (): Promise<Cluster> =>
  startCluster({ leaves: 2, dataDir: folder, environment: { HADAL_SEAL_AFTER: "1" } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-settings-"));
  cluster = await start();
}, 60_000);
afterAll(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function send(table: string, rows: readonly object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 5_000) {
    const lines = rows.slice(from, from + 5_000).map((row) => JSON.stringify(row));
    await cluster.client.ingestBody(table, lines.join("\n"), {
      contentType: "application/x-ndjson",
      timeUnit: "ms",
    });
  }
}

const ask = (sql: string): Promise<Result> => cluster.client.query(sql);
/** The rows of a result, without the raw counts. */
const rowsOf = async (sql: string) => {
  const { rows, columns } = await ask(sql);
  return rows.map((row) => row.filter((_, i) => columns[i]?.name !== "count.raw"));
};

test("thinned rows keep counts and sums right within their error bars, and every answer meanwhile is complete", async () => {
  const nowMs = Date.now();
  const [oldRows, newRows, groups] = [60_000, 3_000, 6];
  const row = (time: number, i: number) => ({
    time,
    n: 1 + ((i * 7_919) % 100),
    s: `s${i % groups}`,
  });
  await send(
    "thin",
    Array.from({ length: oldRows }, (_, i) => row(nowMs - 2 * dayMs + i, i)),
  );
  const sql = `SELECT s, count(*), sum(n) FROM thin WHERE time >= now() - INTERVAL '3 days' AND time < now() + INTERVAL '1 day' GROUP BY s ORDER BY s`;
  const before = await ask(sql);
  expect(before.rows.map(([, count]) => count)).toEqual(new Array(groups).fill(oldRows / groups));
  await waitUntil("old rows to be sealed", async () => {
    const { bytes, rows: held } = await cluster.client.table("thin");
    return held === oldRows && bytes! < 6 * held ? true : null;
  });
  await cluster.client.setTable("thin", { thinning: [{ afterMs: dayMs, keepOneIn: 10 }] });
  const after = await waitUntil("old rows to be thinned", async () => {
    const result = await ask(sql);
    // Booked out first, then gone: an answer may have more than is expected, and never less.
    expect(result.completeness.fraction).toBe(1);
    const raw = result.rows.reduce((sum, [, , count]) => sum + Number(count), 0);
    return raw < oldRows / 9 && "count" in result.intervals ? result : null;
  });
  // One of each ten neighbours, per segment.
  expect(after.completeness.rowsAnswered).toBeGreaterThan(oldRows / 11);
  const close = (result: Result): void => {
    for (const [i, [, count, , sum]] of result.rows.entries()) {
      for (const [name, column, found] of [
        ["count", 1, count],
        ["sum_n", 3, sum],
      ] as const) {
        const [low, high] = result.intervals[name]?.[i] ?? [0, 0];
        expect(high - low, name).toBeGreaterThan(0);
        // Twice the 95 % interval: one in ten thousand.
        expect(Math.abs(Number(found) - Number(before.rows[i]![column])), name).toBeLessThan(
          high - low,
        );
      }
    }
  };
  close(after);
  const { thinning } = await cluster.client.table("thin");
  expect(thinning).toEqual([{ afterMs: dayMs, keepOneIn: 10 }]);
  // Young rows are all there.
  await send(
    "thin",
    Array.from({ length: newRows }, (_, i) => row(nowMs - 60_000 + i, i)),
  );
  const more = await ask(sql);
  expect(more.rows.map(([, count]) => count)).toEqual(
    after.rows.map(([, count]) => Number(count) + newRows / groups),
  );
}, 120_000);

describe("settings before the first row", () => {
  test("hold for it, and go with a deletion", async () => {
    const columns = [{ name: "zip", type: "string" }] as const;
    expect(await cluster.client.setTable("early", { columns })).toMatchObject({ columns });
    await expect(cluster.client.table("early")).rejects.toMatchObject({ code: "unknown-table" });
    await send("early", [{ time: 1, zip: 20 }]);
    expect(await rowsOf("SELECT zip FROM early WHERE time >= 0 AND time < 9 GROUP BY zip")).toEqual(
      [["20"]],
    );
    expect(await cluster.client.table("early")).toMatchObject({ columnSettings: columns });
  });

  test("are removed without rows; a name that no table has is refused as before", async () => {
    await cluster.client.setTable("never", { columns: [{ name: "n", decimals: 2 }] });
    await cluster.client.deleteTable("never");
    const unknown = { code: "unknown-table" };
    await expect(cluster.client.deleteTable("never")).rejects.toMatchObject(unknown);
    await send("never", [{ time: 1, n: 1.2345 }]);
    expect(await rowsOf("SELECT sum(n) FROM never WHERE time >= 0 AND time < 9")).toEqual([
      [1.2345],
    ]);
  });

  test("need the name of a table", async () => {
    const refused = cluster.client.setTable("no\nname", {});
    await expect(refused).rejects.toMatchObject({ code: "invalid-name" });
  });
});

describe("types and decimals", () => {
  const span = "WHERE time >= 0 AND time < 1000";
  test("of rows to come; what is stored stays, queries over both answer; a restart keeps them", async () => {
    await send("typed", [
      { time: 1, price: 2.345678, zip: 150, tags: ["b", "a", "b"] },
      { time: 2, price: 3, zip: 20 },
    ]);
    const columns = [
      { name: "price", decimals: 2 },
      { name: "zip", type: "string" },
      { name: "tags", type: "set" },
    ] as const;
    expect(await cluster.client.setTable("typed", { columns })).toMatchObject({ columns });
    await send("typed", [
      { time: 3, price: 2.345678, zip: "0150", tags: ["b", "a", "b"] },
      { time: 4, price: -0.999, zip: 20, tags: "a" },
    ]);
    const check = async (): Promise<void> => {
      const sum = await rowsOf(`SELECT sum(price), min(price) FROM typed ${span}`);
      // 2.345678 + 3 + 2.34 − 0.99, exactly.
      expect(sum).toEqual([[6.695678, -0.99]]);
      const zips = `SELECT zip, count(*) FROM typed ${span} GROUP BY zip ORDER BY zip`;
      expect(await rowsOf(zips)).toEqual([
        ["0150", 1],
        ["150", 1],
        ["20", 2],
      ]);
      expect(await rowsOf(`SELECT count(*) FROM typed ${span} AND zip = '20'`)).toEqual([[2]]);
      expect(
        await rowsOf(`SELECT count(*) FROM typed ${span} AND tags INCLUDES ANY ('a')`),
      ).toEqual([[3]]);
      const { columnSettings } = await cluster.client.table("typed");
      expect(columnSettings).toEqual(columns);
    };
    await check();
    const thin = `SELECT count(*), sum(n) FROM thin WHERE time >= 0 AND time < now() + INTERVAL '1 day'`;
    const before = await ask(thin);
    await cluster.stop();
    cluster = await start();
    await check();
    expect(await ask(thin)).toMatchObject({
      rows: before.rows,
      completeness: before.completeness,
    });
    await expect(send("typed", [{ time: 5, zip: ["a"] }])).rejects.toMatchObject({
      code: "rows-rejected",
      errors: [{ line: 1, code: "type-mismatch" }],
    });
  });

  test("a narrower type is seen once rows of the wider one are gone", async () => {
    const nowMs = Date.now();
    await send("narrow", [{ time: nowMs - 2 * dayMs, code: "x", ns: 1.5 }]);
    const columns = [
      { name: "code", type: "int", decimals: 0 },
      { name: "ns", decimals: 0 },
    ] as const;
    await cluster.client.setTable("narrow", { columns });
    await send("narrow", [{ time: nowMs, code: "12", ns: 9_007_199_254_740_991 }]);
    await send("narrow", [{ time: nowMs, code: 30, ns: 5 }]);
    const typesOf = async () => {
      const { columns: found } = await cluster.client.table("narrow");
      return found.map(({ name, type, decimals }) => `${name} ${type} ${decimals}`).slice(1);
    };
    await waitUntil("all rows to be described", async () => {
      const { rows } = await cluster.client.table("narrow");
      return rows === 3 ? true : null;
    });
    // With the six decimals of the old row the new one's integer does not fit 64 bits; with the one that it needs it does.
    expect(await typesOf()).toEqual(["code string 0", "ns string 0"]);
    const days = "time >= now() - INTERVAL '3 days' AND time < now() + INTERVAL '1 hour'";
    const most = `SELECT min(ns), max(ns) FROM narrow WHERE ${days}`;
    expect(await rowsOf(most)).toEqual([[1.5, "9007199254740991"]]);
    // A range without the old row has the narrower types already.
    const hours = "time >= now() - INTERVAL '1 hour' AND time < now() + INTERVAL '1 hour'";
    const narrow = `SELECT sum(code), max(ns) FROM narrow WHERE ${hours}`;
    expect(await rowsOf(narrow)).toEqual([[42, 9_007_199_254_740_991]]);
    // The old row may be alone in an open segment: that is sealed after a second, and goes only then.
    await sleep(2_500);
    await cluster.client.setTable("narrow", {
      columns,
      retention: { maxAgeMs: dayMs, maxBytes: null },
    });
    await waitUntil("the old row to go", async () =>
      (await typesOf()).join() === "code int 0,ns int 0" ? true : null,
    );
    expect(await rowsOf(narrow)).toEqual([[42, 9_007_199_254_740_991]]);
  });

  test("a wrong setting is refused, with every place that is wrong", async () => {
    await send("wrong", [{ time: 1, a: 1 }]);
    const settings = {
      thinning: [{ afterMs: 5, keepOneIn: 1 }],
      columns: [{ name: "a", type: "float" }],
    };
    await expect(cluster.client.setTable("wrong", settings as never)).rejects.toMatchObject({
      code: "invalid-query",
      errors: [
        { path: "thinning[0].afterMs" },
        { path: "thinning[0].keepOneIn" },
        { path: "columns[0].type" },
      ],
    });
  });
});
