import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { damagePart } from "../../src/store/testing/segmentBytes.js";
import { createSeededRandom } from "../oracle/seed/seededRandom.js";
import {
  allFiles,
  bodies,
  fillFolder,
  mutate,
  rowCount,
  rowsOf,
  startMs,
  tables,
} from "../support/damagedFolder.js";
import { type Cluster, spawnHadal, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

let original: string;
beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), "hadal-test-"));
  await fillFolder(original);
}, 120_000);
afterAll(() => rm(original, { recursive: true, force: true }));

/** What `hadal check` says of a folder. */
async function check(dataDir: string) {
  const { output, exited } = spawnHadal(["check", dataDir]);
  const code = await exited;
  return { code, ...output };
}

/** Starts over a copy that was damaged meanwhile; the test hears what the check said of it before. */
async function afterDamage(
  damage: (dataDir: string) => Promise<void>,
  look: (cluster: Cluster, checked: Awaited<ReturnType<typeof check>>) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-test-"));
  try {
    await cp(original, dataDir, { recursive: true });
    await damage(dataDir);
    const checked = await check(dataDir);
    const environment = { HADAL_SEAL_AFTER: "3600" };
    const cluster = await startCluster({ leaves: 2, dataDir, environment });
    await look(cluster, checked).finally(() => cluster.stop());
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const ask = (table: string, aggregates: NonNullable<Query["aggregates"]>): Query => ({
  ...{ table, from: startMs, to: startMs + bodies * 60_000, timeoutMs: 10_000 },
  aggregates,
});
const count = { fn: "count" } as const;
const sumN = { fn: "sum", column: "n" } as const;
const numberOf = ({ columns, rows }: Result, name: string): number =>
  Number(rows[0]?.[columns.findIndex((column) => column.name === name)]);
const notesOf = ({ notes = [] }: Result): string => notes.map(({ text }) => text).join("\n");

/** The status once the ledger was compared with all leaves. */
const ledgerOf = ({ client }: Cluster) =>
  waitUntil("the ledger compared with the leaves", async () => {
    const { ledger } = await client.status();
    return ledger.comparedMs === null ? null : ledger;
  });

/** Where rows are placed is left to chance: all of them may be on one leaf. */
async function fileOf(dataDir: string, ending: string) {
  const path = (await allFiles(dataDir)).find((one) => one.endsWith(ending))!;
  return { path, leaf: /leaf-\d/.exec(path)![0] };
}

describe("a server over damaged files", () => {
  test("has the rows of a damaged column for every question that does not read it", async () => {
    let segment = { path: "", leaf: "" };
    await afterDamage(
      async (dataDir) => {
        segment = await fileOf(dataDir, ".hds");
        await damagePart(segment.path, "n");
        for (const folder of ["", "ledger", "leaf-1/tables/"])
          await writeFile(join(dataDir, folder, "half.tmp"), "half of a file");
      },
      async (cluster, checked) => {
        expect(checked).toMatchObject({ code: 1, err: "" });
        expect(checked.out).toMatch(/hds: the values of column n are damaged; lost: \d+ rows/);
        const ledger = await ledgerOf(cluster);
        expect(ledger).toMatchObject({ state: "whole", lostRows: [], doubts: [] });
        const { members } = await cluster.client.status();
        const { leaf } = segment;
        const damaged = members.map(({ id, filesDamaged = 0 }) => [id, filesDamaged]);
        expect(damaged.filter(([, files]) => files !== 0)).toEqual([[leaf, 1]]);
        const [lost] = ledger.lostColumns ?? [];
        const reason = `${basename(segment.path)} is damaged`;
        expect(lost).toMatchObject({ leaf, column: "n", reason });
        const { table, rows } = lost!;
        const whole = await cluster.client.query(
          ask(table, [{ fn: "avg", column: "rare" }, count]),
        );
        expect([numberOf(whole, "count"), whole.completeness.fraction]).toEqual([
          truthOf(table)[0],
          1,
        ]);
        const part = await cluster.client.query(ask(table, [sumN, count]));
        const { completeness } = part;
        expect(completeness).toMatchObject({
          ...{ rowsExpected: rowCount, rowsAnswered: rowCount - rows },
          fraction: (rowCount - rows) / rowCount,
        });
        expect(notesOf(part)).toContain(
          `${rows} rows on ${leaf} do not count: their values of n are damaged`,
        );
        await expect(
          cluster.client.query({ ...ask(table, [sumN]), exact: true }),
        ).rejects.toMatchObject({ code: "incomplete" });
        expect((await allFiles(cluster.dataDir)).filter((path) => path.endsWith(".tmp"))).toEqual([
          expect.stringContaining("tables/half.tmp"),
        ]);
        // Not while the server runs over it.
        const refused = await check(cluster.dataDir);
        expect(refused).toMatchObject({ code: 1, out: "" });
        expect(refused.err).toContain("in use by another server");
      },
    );
  });

  test.each([
    ["damaged in the middle", " is damaged: "],
    ["cut off", "was cut off"],
  ])("says of a log that is %s how many rows are lost", async (how, damage) => {
    let reason = damage;
    let leaf = "";
    await afterDamage(
      async (dataDir) => {
        const { path: log, leaf: damaged } = await fileOf(dataDir, ".hdl");
        leaf = damaged;
        // The number of the log depends on how often a slow machine sealed the one before it.
        if (how !== "cut off") reason = basename(log) + damage;
        const bytes = await readFile(log);
        if (how === "cut off") return writeFile(log, bytes.subarray(0, bytes.length - 5));
        bytes[30]! ^= 1;
        return writeFile(log, bytes);
      },
      async (cluster, checked) => {
        expect(checked.code).toBe(1);
        const { lostRows } = await ledgerOf(cluster);
        expect(lostRows).toHaveLength(1);
        const [{ table, rows, reason: given } = { table: "", rows: 0, reason: "" }] = lostRows;
        expect(given).toContain(reason);
        expect(checked.out).toContain(
          `counts ${rows} rows more of ${table} than the files of ${leaf}`,
        );
        const { completeness } = await cluster.client.query(ask(table, [count]));
        expect(completeness).toMatchObject({
          ...{ rowsExpected: rowCount, rowsAnswered: rowCount - rows },
          fraction: (rowCount - rows) / rowCount,
        });
      },
    );
  });

  test.each([1, 4])("starts and says no wrong number (random damage %d)", async (seed) => {
    const random = createSeededRandom(seed);
    let about = "";
    await afterDamage(
      async (dataDir) => {
        const mutation = await mutate(random.pick(await allFiles(dataDir)), random);
        about = JSON.stringify(mutation);
      },
      async (cluster) => {
        const ledger = await ledgerOf(cluster);
        for (const table of tables) {
          const result = await cluster.client.query(ask(table, [count, sumN]));
          const { fraction, rowsAnswered, known } = result.completeness;
          const truth = truthOf(table);
          if (fraction === 1)
            expect([numberOf(result, "count"), numberOf(result, "sum_n")], about).toEqual(truth);
          else {
            expect(numberOf(result, "count"), about).toBeLessThan(truth[0]);
            const { lostRows, lostColumns = [], doubts } = ledger;
            expect(lostRows.length + lostColumns.length + doubts.length, about).toBeGreaterThan(0);
          }
          if (known !== false) expect(rowsAnswered! / rowCount, about).toBe(fraction);
        }
      },
    );
  });
});

/** Count and sum of n over all rows of a table, each row as often as its sample rate says. */
function truthOf(table: string): [count: number, sum: number] {
  let [total, sum] = [0, 0];
  for (let body = 0; body < bodies; body++) {
    for (const row of rowsOf(table, body)) {
      const weight = row.sample_rate ?? 1;
      total += weight;
      sum += row.n * weight;
    }
  }
  return [total, sum];
}
