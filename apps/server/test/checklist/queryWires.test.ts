import type { Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { openFrameLog } from "../support/frameLog.js";
import { spawnHadal } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";
import {
  type Call,
  calls,
  countOf,
  groupsOf,
  range,
  rowCount,
  serveCalls,
  sum,
  toMs,
} from "./calls.js";

const served = serveCalls();
const { ask } = served;

describe("one wire for everybody", () => {
  const sql = `SELECT status, count(*) AS n FROM calls WHERE time >= 0 AND time < ${toMs} GROUP BY status ORDER BY status`;
  const wanted = [200, 404, 500].map((one) => [one, countOf(({ status }) => status === one)]);

  test("S59: SQL at a command line, for scripts", async () => {
    const run = async (question: string) => {
      const args = ["query", "--url", served.cluster.url, "--format", "csv", question];
      const { output, exited } = spawnHadal(args);
      return { code: await exited, ...output };
    };
    const { code, out } = await run(sql);
    expect(code).toBe(0);
    const lines = out.trim().split("\n");
    expect(lines.shift()).toMatch(/^status,n\b/);
    expect(lines.pop()).toBe("# completeness: 100 % of rows · 2/2 leaves");
    expect(lines.map((line) => line.split(",").slice(0, 2).map(Number))).toEqual(wanted);
    expect(await run("SELECT count(*) FROM calls")).toMatchObject({
      ...{ code: 1, out: "" },
      err: expect.stringContaining("time range") as string,
    });
  });

  test("S60: HTTP and the socket, SQL and JSON say the same", async () => {
    const query: Query = {
      ...range,
      groupBy: ["status"],
      aggregates: [{ fn: "count", as: "n" }],
      orderBy: [{ by: "status" }],
    };
    const log = await openFrameLog(served.cluster.url);
    log.send({ kind: "query", id: "sql", sql });
    log.send({ kind: "query", id: "json", query });
    const answers = [await log.final("sql"), await log.final("json")];
    await log.close();
    const { rows } = await served.cluster.client.query(query);
    expect(rows.map((row) => row.slice(0, 2))).toEqual(wanted);
    for (const answer of answers) expect(answer).toMatchObject({ rows });
  });
});

describe("S61: functions in JavaScript, where the rows are", () => {
  const covariance = { fn: "covariance", columns: ["latency", "bytes"] } as const;

  function covarianceOf(kept: readonly Call[]): number {
    const pairs = kept.flatMap(({ latency, bytes }) =>
      latency === undefined ? [] : [{ latency, bytes }],
    );
    const n = pairs.length;
    const [a, b] = [
      sum(pairs.map((one) => one.latency)) / n,
      sum(pairs.map((one) => one.bytes)) / n,
    ];
    return sum(pairs.map((one) => (one.latency - a) * (one.bytes - b))) / n;
  }

  test.each(["AGGREGATE covariance(latency, bytes)", "covariance(latency, bytes)"])(
    "the covariance of two integer columns by %s",
    async (call) => {
      const rows = await ask(`SELECT service, ${call} FROM calls GROUP BY service ORDER BY 1`, {
        groupBy: ["service"],
        aggregates: [covariance],
        orderBy: [{ by: "service" }],
      });
      expect(rows).toHaveLength(4);
      const groups = groupsOf(({ service }) => service ?? null);
      for (const [service, found] of rows) {
        const wanted = covarianceOf(groups.get(service as string | null) ?? []);
        expect(Math.abs(Number(found) / wanted - 1)).toBeLessThan(1e-6);
      }
    },
  );

  test("without groups, beside a column of a function over each row", async () => {
    const { client } = served.cluster;
    await client.saveFunction("slowness", { source: "(latency) => (latency > 500000 ? 1 : 0)" });
    const rows = await ask(
      "SELECT slowness(latency), AGGREGATE covariance(latency, bytes) AS c FROM calls WHERE latency IS NOT NULL GROUP BY 1 ORDER BY 1",
      {
        filter: [{ column: "latency", op: "is present" }],
        derive: [{ as: "slowness(latency)", function: "slowness", args: ["latency"] }],
        groupBy: ["slowness(latency)"],
        aggregates: [{ ...covariance, as: "c" }],
        orderBy: [{ by: "slowness(latency)" }],
      },
    );
    for (const [i, isSlow] of [false, true].entries()) {
      const own = calls.filter(
        ({ latency }) => latency !== undefined && latency > 500_000 === isSlow,
      );
      expect(rows[i]?.[0]).toBe(i);
      expect(Math.abs(Number(rows[i]?.[1]) / covarianceOf(own) - 1)).toBeLessThan(1e-6);
    }
  });

  test.each<[string, string, number]>([
    ["AGGREGATE covarience(latency, bytes)", "unknown-function", 8],
    ["AGGREGATE covariance(latency, bites)", "unknown-column", 38],
    ["count(*), covariance(latency)", "function-invalid", 18],
  ])("%s is refused with its place", async (select, code, column) => {
    const asked = served.cluster.client.query(
      `SELECT ${select} FROM calls WHERE time >= 0 AND time < ${toMs}`,
    );
    await expect(asked).rejects.toMatchObject({ code, errors: [{ line: 1, column }] });
  });
});

test("S80: the share of rows that did not answer, of those known to be there", async () => {
  const [[leafId, pid] = ["", 0]] = [...(await served.cluster.leafPids())];
  // Leaves tell every two seconds what they hold.
  const held = await waitUntil("all rows to be counted", async () => {
    const { members } = await served.cluster.client.status();
    const rowsOf = ({ tables }: (typeof members)[number]) =>
      tables.find(({ name }) => name === "calls")?.rows ?? 0;
    if (sum(members.map(rowsOf)) !== rowCount) return null;
    return sum(members.filter(({ id }) => id === leafId).map(rowsOf));
  });
  expect(held).toBeGreaterThan(0);
  process.kill(pid, "SIGSTOP");
  try {
    const { completeness, rows } = await served.cluster.client.query({
      ...range,
      aggregates: [{ fn: "count" }],
      timeoutMs: 1_500,
    });
    const answered = rowCount - held;
    expect(completeness).toMatchObject({
      ...{ rowsExpected: rowCount, rowsAnswered: answered, fraction: answered / rowCount },
      leaves: { answered: 1, total: 2, missing: [leafId] },
    });
    // What it shows is what came, not what was guessed.
    expect(rows).toEqual([[answered, answered]]);
    // Nor do questions about all columns wait for it to the end, and then say nothing.
    const { client } = served.cluster;
    const facets = await client.facets({ ...range, timeoutMs: 1_500 });
    expect([facets.completeness.fraction, facets.final]).toEqual([answered / rowCount, true]);
    const selection = { filter: [{ column: "status", op: "=", value: 200 }] } as const;
    const changed = await client.whatChanged({ ...range, selection, timeoutMs: 1_500 });
    expect([changed.completeness.fraction, changed.final]).toEqual([answered / rowCount, true]);
  } finally {
    process.kill(pid, "SIGCONT");
  }
});
