import type { Filter, Query } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSeededRandom } from "../oracle/seed/seededRandom.js";
import { askAll, sendRows } from "../support/allTime.js";
import type { Cluster } from "../support/startCluster.js";
import { startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const lineCount = 30_000;
const agents = [
  "Mozilla/5.0 (X11; Linux)",
  "Googlebot/2.1 (+http://google.com/bot.html)",
  "curl/8.1",
];
const paths = ["/cart", "/api/v1/items?id=", "/img/logo.png", "/Ünïcode/"];
const statuses = [200, 301, 404, 500];

interface Line {
  readonly time: number;
  readonly status: number;
  readonly line: string;
}

/** Access lines, no two alike: too many distinct strings for a dictionary, so they are stored as text. */
function accessLines(): Line[] {
  const random = createSeededRandom(19);
  return Array.from({ length: lineCount }, (_, time) => {
    const status = random.pick(statuses);
    const isError = status === 500 && random.chance(0.2);
    const error = isError ? ' [error] uncaught exception in "render"' : "";
    const address = `10.${random.int(0, 255)}.${random.int(0, 255)}.7`;
    const path = `${random.pick(paths)}${random.int(0, 1e9).toString(36)}`;
    return {
      ...{ time, status },
      line: `${address} - "GET ${path} HTTP/1.1" ${status} ${time} ${random.pick(agents)}${error}`,
    };
  });
}

const lines = accessLines();
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2, environment: { HADAL_SEAL_AFTER: "1" } });
  for (let from = 0; from < lineCount; from += 3_000) {
    await sendRows(cluster, "access", lines.slice(from, from + 3_000));
  }
  await waitUntil("the lines to be sealed", async () => {
    const { segments } = await cluster.client.table("access");
    return segments! >= 2 || null;
  });
});
afterAll(() => cluster?.stop());

const ask = (query: Partial<Query>) => askAll(cluster, "access", query);
const countOf = async (filter: readonly Filter[]) => (await ask({ filter })).rows[0]?.[0];
const holding = (test: (line: Line) => boolean) => lines.filter(test).length;
const contains = (value: string): Filter => ({ column: "line", op: "contains", value });

describe("lines are searched whole, without an index", () => {
  test.each(["bot", "oogleb", "chrome"])("C1: the fragment %s of words", async (needle) => {
    expect(await countOf([contains(needle)])).toBe(holding(({ line }) => line.includes(needle)));
  });

  test("C2: several words, and a phrase", async () => {
    const words = ["Googlebot", " 404 "];
    const all = words.map(contains);
    expect(await countOf(all)).toBe(
      holding(({ line }) => words.every((word) => line.includes(word))),
    );
    const phrase = "uncaught exception";
    const expected = holding(({ line }) => line.includes(phrase));
    expect(expected).toBeGreaterThan(0);
    expect(await countOf([contains(phrase)])).toBe(expected);
  });

  test.each(["[error]", "(+http://google.com/bot.html)", '"render"', "?id=", "Ünï", "%", "\\"])(
    "C3: punctuation %s means itself",
    async (needle) => {
      expect(await countOf([contains(needle)])).toBe(holding(({ line }) => line.includes(needle)));
    },
  );

  test.each([
    ["GET /(cart|img)/?[a-z0-9]+ ", /GET \/(cart|img)\/?[a-z0-9]+ /],
    ['" 50\\d \\d+ curl', /" 50\d \d+ curl/],
    ["(?i)GOOGLEBOT.*render", /googlebot.*render/i],
  ])("C4: the pattern %s", async (value, expected) => {
    const filter: Filter = { column: "line", op: "~", value };
    expect(await countOf([filter])).toBe(holding(({ line }) => expected.test(line)));
  });

  test("C5: text and the columns beside it", async () => {
    const filter = [contains("curl"), { column: "status", op: "in", value: [404, 500] } as const];
    expect(await countOf(filter)).toBe(
      holding(({ line, status }) => line.includes("curl") && status >= 404),
    );
    const { rows } = await ask({ filter: [contains("/cart")], groupBy: ["status"] });
    expect(new Map(rows.map(([status, count]) => [status, count]))).toEqual(
      new Map(
        statuses.map((one) => [
          one,
          holding(({ line, status }) => status === one && line.includes("/cart")),
        ]),
      ),
    );
  });

  test("C7: needles of one character and of a whole line", async () => {
    expect(await countOf([contains("7")])).toBe(holding(({ line }) => line.includes("7")));
    const { line } = lines[lineCount >> 1]!;
    expect(await countOf([contains(line)])).toBe(1);
    expect(await countOf([contains(`${line}x`)])).toBe(0);
  });
});

describe("a needle in a haystack", () => {
  const seriesCount = 1_000;
  const readings = Array.from({ length: 60_000 }, (_, i) => ({
    ...{ time: i * 10, series: `s${i % seriesCount}`, celsius: 20 + ((i * 31) % 50) / 10 },
  }));
  const outlier = { time: 123_456, series: "s777", celsius: 95.5 };
  beforeAll(async () => {
    const rows = [...readings.slice(0, 41_000), outlier, ...readings.slice(41_000)];
    for (let from = 0; from < rows.length; from += 5_000) {
      await sendRows(cluster, "readings", rows.slice(from, from + 5_000));
    }
  });

  test("A6: the one series that leaves its range, and when", async () => {
    const top = await askAll(cluster, "readings", {
      groupBy: ["series"],
      aggregates: [{ fn: "max", column: "celsius", as: "peak" }],
      orderBy: [{ by: "peak", desc: true }],
      limit: 1,
    });
    expect(top.rows).toEqual([[outlier.series, outlier.celsius]]);
    const when = await askAll(cluster, "readings", {
      filter: [{ column: "celsius", op: ">=", value: 95 }],
      sampleView: { columns: ["time", "series", "celsius"] },
    });
    expect(when.rows).toEqual([[outlier.time, outlier.series, outlier.celsius]]);
  });

  test("A7: only what is over the threshold comes back", async () => {
    const threshold = 24.8;
    const expected = [...readings, outlier].filter(({ celsius }) => celsius > threshold);
    const over = await askAll(cluster, "readings", {
      filter: [{ column: "celsius", op: ">", value: threshold }],
      sampleView: { columns: ["time", "series", "celsius"] },
      orderBy: [{ by: "time", desc: false }],
      limit: 100_000,
    });
    const byTime = (a: { time: number }, b: { time: number }) => a.time - b.time;
    expect(over.rows).toEqual(
      expected.sort(byTime).map(({ time, series, celsius }) => [time, series, celsius]),
    );
    expect(over.stats.rowsMatched).toBe(expected.length);
  });
});
