import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ClusterPlan, Result, StatusInfo } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, spawnHadal, startCluster } from "../../test/support/startCluster.js";
import { waitUntil } from "../../test/support/waitUntil.js";

/** The real program twice: one serves, one asks. */
let cluster: Cluster;
let folder: string;

const rowCount = 25_000;
const startMs = Date.UTC(2025, 5, 21);
const wholeRange = { table: "visits", from: startMs, to: startMs + rowCount };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-command-line-"));
  cluster = await startCluster({ leaves: 2 });
});

afterAll(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function hadal(
  ...words: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const { exited, output } = spawnHadal(words, { HADAL_URL: cluster.url });
  return { code: await exited, ...output };
}

async function ask(query: object): Promise<Result> {
  const { code, out, err } = await hadal("query", JSON.stringify(query), "--format", "json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as Result;
}

test("a file goes in, its bad lines are reported, and queries about it are answered", async () => {
  const lines = ["time,service,bytes,id"];
  for (let i = 0; i < rowCount; i++) {
    lines.push(
      `${startMs + i},"service ${i % 3}\nof three",${i},${9_007_199_254_740_993n + BigInt(i)}`,
    );
  }
  // One row without a time, on the line behind all others; every record above has two lines.
  lines.push(",nobody,1,1");
  const path = join(folder, "visits.csv.gz");
  await writeFile(path, gzipSync(`${lines.join("\n")}\n`));

  const ingested = await hadal("ingest", path, "--table", "visits");
  expect(ingested.out).toBe("25,000 rows accepted, 1 rejected\n");
  expect(ingested.err).toContain(`line ${rowCount * 2 + 2}: `);
  expect(ingested.code).toBe(0);

  const counted = await ask({
    ...wholeRange,
    groupBy: ["service"],
    aggregates: [{ fn: "count" }, { fn: "sum", column: "bytes" }],
    orderBy: [{ by: "service" }],
  });
  const serviceIndex = counted.columns.findIndex((column) => column.name === "service");
  const sumIndex = counted.columns.findIndex((column) => column.name === "sum_bytes");
  const sums = [0, 0, 0];
  for (let i = 0; i < rowCount; i++) sums[i % 3] = (sums[i % 3] ?? 0) + i;
  expect(counted.rows.map((row) => [row[serviceIndex], row[sumIndex]])).toEqual([
    ["service 0\nof three", sums[0]],
    ["service 1\nof three", sums[1]],
    ["service 2\nof three", sums[2]],
  ]);
  expect(counted.completeness).toMatchObject({ fraction: 1, leaves: { answered: 2, total: 2 } });
});

test("integers beyond 2^53 come back digit by digit, in every format", async () => {
  const query = JSON.stringify({
    ...wholeRange,
    to: startMs + 1,
    aggregates: [{ fn: "max", column: "id" }],
  });
  for (const format of ["table", "json", "ndjson", "csv"]) {
    const { code, out } = await hadal(
      "query",
      query,
      "--format",
      format,
      "--exact",
      "--timeout",
      "10s",
    );
    expect(out).toContain("9007199254740993");
    expect(code).toBe(0);
  }
});

test("a query may come from a file, and a reader may leave early", async () => {
  const path = join(folder, "query.json");
  await writeFile(
    path,
    JSON.stringify({ ...wholeRange, sampleView: { columns: ["time", "bytes"] } }),
  );
  const { code, out } = await hadal("query", path, "--format", "csv");
  expect(out.split("\n").filter((line) => /^\d/.test(line))).toHaveLength(rowCount);
  expect(code).toBe(0);

  const { exited, output, child } = spawnHadal(["query", path, "--format", "csv"], {
    HADAL_URL: cluster.url,
  });
  child.stdout?.once("data", () => child.stdout?.destroy());
  expect(await exited).toBe(0);
  expect(output.err).toBe("");
});

describe("SQL", () => {
  const sql = `SELECT service, count(*), max(id)
FROM visits
WHERE time >= ${startMs} AND time < ${startMs + rowCount} AND bytes < 5
GROUP BY service ORDER BY service DESC`;
  const csv = [
    "service,count,count.raw,max_id",
    ...['"service 2\nof three",1,1,9007199254740995', '"service 1\nof three",2,2,9007199254740997'],
    ...['"service 0\nof three",2,2,9007199254740996', "# completeness: "],
  ].join("\n");

  test("as a word, from a file by either spelling, and from standard input", async () => {
    const path = join(folder, "question.sql");
    await writeFile(path, `-- whose it is\n${sql};\n`);
    const ways: [string[], string?][] = [
      [[sql]],
      [[path]],
      [["--file", path]],
      [["-"], sql],
      [[], `${sql};`],
    ];
    for (const [words, input] of ways) {
      const { exited, output } = spawnHadal(
        ["query", ...words, "--format", "csv"],
        { HADAL_URL: cluster.url },
        input,
      );
      expect({ code: await exited, err: output.err }).toEqual({ code: 0, err: "" });
      expect(output.out.startsWith(csv)).toBe(true);
    }
  });

  test("flags override what the query says", async () => {
    const { code, err } = await hadal("query", sql, "--timeout", "3h");
    expect(err).toMatch(/^hadal: timeoutMs is a whole number from 1 to 120000/);
    expect(code).toBe(1);
    const answered = await hadal(
      "query",
      `${sql} WITH (timeout = '1ms')`,
      "--timeout",
      "10s",
      "--exact",
    );
    expect(answered).toMatchObject({ code: 0, err: "" });
  });

  test("--watch asks again until it is interrupted", async () => {
    const { child, exited, output } = spawnHadal(
      ["query", "SELECT count(*) FROM visits WHERE time >= 0 AND time < now()", "--watch", "250ms"],
      { HADAL_URL: cluster.url },
    );
    await waitUntil("three answers", () => (output.out.split("\n").length > 3 ? true : null));
    child.kill("SIGINT");
    expect(await exited).toBe(130);
    const lines = output.out.trimEnd().split("\n");
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ final: true });
    expect(output.err).toBe("");
  });
});

test("tables and status", async () => {
  const tables = JSON.parse((await hadal("tables", "--json")).out);
  expect(tables).toMatchObject([{ name: "visits", rows: rowCount }]);
  const status = JSON.parse((await hadal("status", "--json")).out);
  const leaves = status.members.filter((member: { role: string }) => member.role === "leaf");
  expect(leaves).toHaveLength(2);
  expect((await hadal("status")).out).toContain(`${rowCount} rows accepted, 1 rejected`);
  // The gateway asks its leaves every 1.5 s.
  const rowsByStage = async (): Promise<number> => {
    const { ingest } = JSON.parse((await hadal("status", "--json")).out) as StatusInfo;
    return (ingest.stages ?? []).reduce((sum, { rows }) => sum + rows, 0);
  };
  await expect.poll(rowsByStage, { timeout: 5_000 }).toBe(rowCount);
  expect((await hadal("status")).out).toMatch(
    /^rows by stage: accepted 0, durable 0, open \d+.*, sealed \d+.*, merged \d+/m,
  );
});

test("a plan of 20 machines uses what this cluster measured and stores (S110 to S113)", async () => {
  await ask({ ...wholeRange, groupBy: ["service"] });
  await ask({ ...wholeRange, groupBy: ["service"] });
  const asked = "--machines 20 --leaves 8 --fan-out 5 --rows 50000 --shape groups --groups 3";
  const flags = asked.split(" ");
  const { out, code } = await hadal("plan", ...flags, "--json");
  expect(code).toBe(0);
  const plan = JSON.parse(out) as ClusterPlan;
  expect(plan).toMatchObject({
    levels: 2,
    planned: { machines: 20, rows: 50_000, table: "visits", groups: 3 },
    memory: { leafBytes: Math.ceil(50_000 * (plan.memory?.bytesPerRow ?? 0)), fits: true },
  });
  expect(plan.accuracy?.queries).toBeGreaterThanOrEqual(1);
  const { ts, ta, td, tg } = plan.measured;
  expect([ts, ta, td, tg]).toEqual(Array(4).fill(expect.any(Number)));
  const expected = ts! + 2 * (td! + tg!) + (5 + 4 + 8) * ta!;
  expect(plan.predictedMs).toBeCloseTo(expected, 6);
  const printed = (await hadal("plan", ...flags)).out;
  expect(printed).toContain(
    "20 machines × 8 leaves, fan-out 5, 50,000 rows a leaf, groups, 3 groups",
  );
  expect(printed).toMatch(/predicted: [\d.]+ ms/);
  for (const [flag, value, exitCode, text] of [
    ["--fan-out", "1", 1, 'hadal: `fanOut` is "1"; it must be a whole number from 2 to 100.\n'],
    ["--machines", "many", 2, "must be a whole number"],
  ] as const) {
    const refused = await hadal("plan", flag, value);
    expect([refused.code, refused.out]).toEqual([exitCode, ""]);
    expect(refused.err).toContain(text);
  }
});

test.each([
  [
    ["query", '{"table":"visit","from":"-1h","to":"now"}'],
    /^hadal: table: No table is called visit\. Did you mean "?visits"?\?\n$/,
  ],
  [
    [
      "query",
      '{"table":"visits","from":"-1h","to":"now","filter":[{"column":"byte","op":"=","value":1}]}',
    ],
    /^hadal: .*no column "?byte"?\. Did you mean "?bytes"?\?\n$/,
  ],
  [
    ["query", "SELECT count(*) FROM visits WHERE time >= 0 AND time < 5 AND byte = 1"],
    /^hadal: line 1, column 62: .*no column "?byte"?\. Did you mean "?bytes"?\?\n$/,
  ],
  [
    ["query", "SELEC count(*) FROM visits"],
    /^hadal: line 1, column 1: Expected SELECT; found "SELEC"\. Did you mean SELECT\?\n$/,
  ],
])("%j is refused in one line", async (words, expected) => {
  const { code, out, err } = await hadal(...words);
  expect(err).toMatch(expected);
  expect(out).toBe("");
  expect(code).toBe(1);
});

describe("tokens, while the server runs", () => {
  const registry = () => ["--data-dir", cluster.dataDir];
  const create = async (...flags: string[]): Promise<{ id: string; token: string }> => {
    const { out } = await hadal("token", "create", "--json", ...flags, ...registry());
    return JSON.parse(out);
  };
  const run = async (words: string[], environment: Record<string, string>, input?: string) => {
    const all = { HADAL_URL: cluster.url, HOME: folder, ...environment };
    const { exited, output } = spawnHadal(words, all, input);
    return { code: await exited, ...output };
  };
  const untilCode = (code: number, environment: Record<string, string>) =>
    waitUntil(`exit code ${code}`, async () => {
      const ended = await run(["tables", "visits", "--json"], environment);
      return ended.code === code ? ended : null;
    });

  test("HADAL_TOKEN is sent; a token that was revoked is refused within seconds", async () => {
    const { id, token } = await create("--scope", "query:visits");
    await untilCode(0, { HADAL_TOKEN: token });
    const sql = "SELECT count(*) FROM visits WHERE time >= 0 AND time < now()";
    expect(await run(["query", sql], { HADAL_TOKEN: token })).toMatchObject({ code: 0, err: "" });
    const other = sql.replace("visits", "others");
    expect((await run(["query", other], { HADAL_TOKEN: token })).err).toMatch(/No table is called/);
    const rows = join(folder, "rows.ndjson");
    await writeFile(rows, `{"time":${startMs}}\n`);
    const sent = await run(["ingest", rows, "--table", "visits"], { HADAL_TOKEN: token });
    expect(sent).toMatchObject({ code: 1, err: "hadal: The token has no scope ingest.\n" });
    const writer = await create("--scope", "ingest:visits");
    const ingest = ["ingest", rows, "--table", "visits"];
    await waitUntil("the new token", async () =>
      (await run(ingest, { HADAL_TOKEN: writer.token })).code === 0 ? true : null,
    );
    await hadal("token", "revoke", id, ...registry());
    const refused = await untilCode(1, { HADAL_TOKEN: token });
    expect(refused.err).toMatch(/^hadal: .*hadal login/);
    expect(refused.err).not.toContain(token);
  });

  test("hadal login keeps a token that is valid, for its server and its user alone", async () => {
    const { token } = await create("--scope", "query", "--name", "laptop");
    await untilCode(0, { HADAL_TOKEN: token });
    const done = await run(["login", `${cluster.url}/`], {}, `${token}\n`);
    const path = join(folder, ".config", "hadal", "credentials.json");
    expect(done.out).toBe(`The token laptop may query; it is kept in ${path}.\n`);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ [cluster.url]: token });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await writeFile(path, JSON.stringify({ [cluster.url]: `${token.slice(0, -2)}zz` }));
    expect((await run(["tables"], {})).code).toBe(1);
    expect((await run(["tables"], { HADAL_TOKEN: token })).code).toBe(0);
    await writeFile(path, "no JSON");
    expect((await run(["tables"], {})).err).toMatch(/credentials\.json is damaged/);
    await rm(path);
    for (const wrong of ["", "hdl_wrong", "two words", "x".repeat(100_000)]) {
      const refused = await run(["login", cluster.url], {}, wrong);
      expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: "" });
      expect(refused.err).toMatch(/^hadal: .*\n$/);
    }
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("a password comes by standard input, and is in no argument", async () => {
    const flags = ["--role", "admin", "--password-stdin", ...registry()];
    const added = await run(["user", "add", "anna", ...flags], {}, "correct horse\n");
    expect(added).toMatchObject({ code: 0, out: "anna (admin) was added.\n", err: "" });
    const short = await run(["user", "add", "bob", ...flags], {}, "short\n");
    expect(short.err).toBe("hadal: A password has 8 to 1024 bytes; this one has 5.\n");
    const words = ["user", "password", "anna", "--password-stdin", ...registry()];
    expect((await run(words, {}, "another one")).out).toBe("anna has a new password.\n");
    expect((await run(words, {}, "x".repeat(10_000_000))).err).toMatch(
      /^hadal: Standard input .*\n$/,
    );
  });
});

test("a taken port and a folder that cannot be are one line and a failure", async () => {
  const port = new URL(cluster.url).port;
  const elsewhere = join(folder, "other");
  const taken = await hadal(
    "serve",
    "--no-demo",
    "--leaves",
    "1",
    "--port",
    port,
    "--data-dir",
    elsewhere,
  );
  expect(taken.err).toMatch(/^hadal: .*port.*\n$/);
  expect(taken.code).toBe(1);

  const path = join(folder, "a-file");
  await writeFile(path, "");
  const unwritable = await hadal(
    "serve",
    "--no-demo",
    "--leaves",
    "1",
    "--port",
    "0",
    "--data-dir",
    join(path, "data"),
  );
  expect(unwritable.err).toMatch(/^hadal: .*a-file.*\n$/);
  expect(unwritable.code).toBe(1);
});
