import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { HadalError } from "@hadal/sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bodyRowsMax } from "./ingest/bodyCutter.js";
import { runProgram } from "./program.js";

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const machine = {
  ...{ name: "m1", state: "drained", address: "10.0.0.5:7401", version: "0.1.0", protocol: 2 },
  ...{ leaves: ["m1-leaf-1", "m1-leaf-2"], rows: null },
  copies: ["whole", "building"].map((state) => ({ leaf: "l", machine: "m1", state, lagMs: null })),
};

/** One fewer each time that it is asked. */
let leavesNotWhole: readonly string[] = [];
let clusterAsked = 0;

/** What a server says to a request of the command line; rows with `bad` in them are refused as Hadal refuses rows. */
function answer(asked: Asked): { status: number; body: unknown } {
  if (asked.path.endsWith("/status")) {
    return {
      status: 200,
      body: {
        ledger: {
          ...{ state: "rebuilding", reason: "the ledger is new; waiting for leaf-2" },
          comparedMs: 1,
          lostRows: [{ leaf: "leaf-1", table: "t", rows: 3, reason: "segment-1.hds is damaged" }],
          lostColumns: [
            {
              leaf: "leaf-1",
              table: "t",
              column: "x",
              rows: 4,
              reason: "segment-2.hds is damaged",
            },
          ],
          doubts: [{ table: "u", reason: "the ledger was damaged" }],
        },
        members: [
          {
            id: "leaf-1",
            role: "leaf",
            address: "127.0.0.1:1",
            pid: 7,
            state: "alive",
            rows: 5,
            bytes: 2_048,
            freeBytes: 0,
            memory: null,
            tables: [{ name: "t", rows: 5, bytes: 2_048 }],
            lastHeardMs: 12,
          },
        ],
        tables: [{ name: "t", rows: 5, bytes: 2_048 }],
        queries: [{ id: "q1", table: "t", elapsedMs: 3 }],
        ingest: { rowsAccepted: 5, rowsRejected: 1, batches: 2 },
      },
    };
  }
  if (asked.path.endsWith("/cluster")) {
    const notWhole = leavesNotWhole.slice(0, Math.max(0, leavesNotWhole.length - clusterAsked++));
    return {
      status: 200,
      body: { machines: [machine], tree: null, registryProblem: "it is away", notWhole },
    };
  }
  if (asked.path.endsWith("/drain")) {
    const { drain = true } = JSON.parse(asked.body) as { drain?: boolean };
    return { status: 200, body: { ...machine, state: drain ? "draining" : "alive", rows: 1_200 } };
  }
  if (asked.path.endsWith("/me")) {
    const me = { kind: "anyone", id: null, name: null, role: "admin", groups: [], permissions: [] };
    return { status: 200, body: { ...me, auth: "none" } };
  }
  if (asked.path.endsWith("/tables")) {
    return {
      status: 200,
      body: [
        {
          name: "requests",
          rows: 12,
          bytes: 1_536,
          bytesPerRow: 128,
          compressionRatio: 0.5,
          fromMs: 0,
          toMs: null,
        },
      ],
    };
  }
  if (asked.body.includes("formatted")) {
    const detail = "NDJSON has one row a line.";
    const part = { line: 1, code: "row-over-lines", detail };
    const error = new HadalError("body-undecodable", { detail }, [part]);
    return { status: error.status, body: error.toProblem() };
  }
  const lines = asked.body.split("\n");
  const rows = lines.filter((line) => line !== "" && !line.startsWith("time"));
  const problems = lines.flatMap((line, i) =>
    line.includes("bad")
      ? [{ line: i + 1, code: "time-missing", detail: "The row has no time." }]
      : [],
  );
  if (problems.length === rows.length) {
    const error = new HadalError(
      "rows-rejected",
      { rejected: rows.length, detail: "no time" },
      problems,
    );
    return { status: error.status, body: error.toProblem() };
  }
  return {
    status: 200,
    body: {
      batchId: "b",
      accepted: rows.length - problems.length,
      rejected: problems.length,
      problems,
      ack: "durable",
    },
  };
}

let server: Server;
let url: string;
let folder: string;
let requests: Asked[];
let inFlight: number;
let inFlightMax: number;

beforeEach(async () => {
  requests = [];
  [leavesNotWhole, clusterAsked] = [[], 0];
  inFlight = 0;
  inFlightMax = 0;
  server = createServer(async (request, response) => {
    inFlight += 1;
    inFlightMax = Math.max(inFlightMax, inFlight);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const asked = {
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(parts).toString(),
    };
    requests.push(asked);
    const { status, body } = answer(asked);
    inFlight -= 1;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), "hadal-cli-"));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

async function run(...words: string[]): Promise<{ code: number; out: string; error: string }> {
  let out = "";
  let error = "";
  const code = await runProgram(words, {
    write: async (text) => {
      out += text;
      return true;
    },
    writeError: async (text) => {
      error += text;
      return true;
    },
    outIsTerminal: false,
    errorIsTerminal: false,
  });
  return { code, out, error };
}

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const sent = (): Asked[] => requests.filter((asked) => asked.path.includes("/rows"));

describe("ingest", () => {
  test("says what was accepted, and which lines of the file were not", async () => {
    const rows = Array.from({ length: bodyRowsMax * 2 + 5 }, (_, i) =>
      i === 3 || i === bodyRowsMax * 2 + 1 ? '{"bad":1}' : `{"time":${i}}`,
    );
    const path = await file("rows.ndjson", `${rows.join("\n")}\n`);
    const { code, out, error } = await run("ingest", path, "--table", "t", "--url", url);
    expect(out).toBe("20,003 rows accepted, 2 rejected\n");
    expect(error).toBe(
      "line 4: The row has no time. (time-missing)\nline 20002: The row has no time. (time-missing)\n",
    );
    expect(code).toBe(0);
    expect(sent()).toHaveLength(3);
    expect(new Set(sent().map((asked) => asked.headers["idempotency-key"])).size).toBe(3);
  });

  test("unpacks .gz and reads CSV by its extension, with the column of the time", async () => {
    const path = await file("rows.csv.gz", gzipSync('time,a\n1,"x\ny"\n2,bad\n'));
    const { code, error } = await run(
      "ingest",
      path,
      "--table",
      "a/b",
      "--time",
      "when",
      "--time-unit",
      "us",
      "--url",
      url,
    );
    expect(sent()[0]).toMatchObject({
      path: "/api/v1/tables/a%2Fb/rows?time=when&timeUnit=us",
      headers: { "content-type": "text/csv" },
      body: 'time,a\n1,"x\ny"\n2,bad\n',
    });
    expect(error).toContain("line 4: ");
    expect(code).toBe(0);
  });

  test("objects over many lines are sent as JSON; as NDJSON they are one problem", async () => {
    const body = '{\n  "time": 1\n}\n{\n  "time": 2\n}\n';
    const path = await file("rows.json", body);
    expect((await run("ingest", path, "--table", "t", "--url", url)).code).toBe(0);
    expect(sent()[0]).toMatchObject({
      headers: { "content-type": "application/json" },
      body: body.trimEnd(),
    });
    const formatted = await file("rows.ndjson", `{\n"formatted":${'"x",\n'.repeat(300_000)}1}`);
    const { code, error } = await run("ingest", formatted, "--table", "t", "--url", url);
    expect([code, error]).toEqual([1, "hadal: line 1: NDJSON has one row a line.\n"]);
  });

  test("a file without one good row fails, with its lines", async () => {
    const path = await file("rows.jsonl", '\n{"bad":1}\n{"bad":2}\n');
    expect(await run("ingest", path, "--table", "t", "--url", url)).toEqual({
      code: 1,
      out: "0 rows accepted, 2 rejected\n",
      error:
        "line 2: The row has no time. (time-missing)\nline 3: The row has no time. (time-missing)\n",
    });
  });

  test("a body refused as a whole does not stop the next", async () => {
    const bad = Array.from({ length: bodyRowsMax }, () => '{"bad":1}').join("\n");
    const path = await file("rows.ndjson", `${bad}\n{"time":1}\n`);
    const { code, out, error } = await run("ingest", path, "--table", "t", "--url", url);
    expect(out).toBe("1 row accepted, 10,000 rejected\n");
    expect(error.split("\n")).toHaveLength(102);
    expect(error).toContain("… and 9,900 rows more");
    expect(code).toBe(0);
  });

  test("keeps no more than four bodies in flight", async () => {
    const path = await file(
      "rows.ndjson",
      `{"time":1,"text":"${"x".repeat(300_000)}"}\n`.repeat(60),
    );
    expect((await run("ingest", path, "--table", "t", "--url", url)).out).toBe(
      "60 rows accepted, 0 rejected\n",
    );
    expect(sent().length).toBeGreaterThan(10);
    expect(inFlightMax).toBeLessThanOrEqual(4);
  });

  test("the rows before the torn end of a .gz are stored, and the tear is reported", async () => {
    const whole = gzipSync('{"time":1}\n{"time":2}\n', { level: 0 });
    const path = await file("rows.ndjson.gz", whole.subarray(0, whole.length - 6));
    const { code, out, error } = await run("ingest", path, "--table", "t", "--url", url);
    expect(out).toBe("2 rows accepted, 0 rejected\n");
    expect(error).toMatch(/^hadal: The file is not whole gzip: .*\n$/);
    expect(code).toBe(1);
  });

  test.each([
    [
      ["ingest", "nowhere.ndjson", "--table", "t"],
      1,
      "hadal: nowhere.ndjson: there is no such file.\n",
    ],
    [["ingest", "rows.xml", "--table", "t"], 1, "--format ndjson, json, csv, arrow, parquet, raw"],
    [["ingest", "rows.parquet", "--table", "t"], 1, "there is no such file"],
    [["ingest", "x.csv"], 2, "required option '--table <table>'"],
    [
      ["ingest", "x.csv", "--table", "t", "--format", "xml"],
      2,
      "Allowed choices are ndjson, json, csv",
    ],
    [["query", "SELECT 1"], 1, "hadal: line 1, column 9: Expected"],
    [["query", "no-such-file.sql"], 1, "hadal: no-such-file.sql: there is no such file.\n"],
    [["query", "SELECT 1", "--file", "x"], 1, "Give a query or --file, not both."],
    [["query", "{"], 1, "hadal: The query is not JSON"],
    [
      ["query", '{"table":"t","from":"-1h","to":"now","limt":1}'],
      1,
      'hadal: limt: "limt" means nothing here. Did you mean "limit"?\n',
    ],
    [["query", "{}", "--timeout", "soon"], 2, "is not a duration"],
    [["querry", "{}"], 2, "Did you mean query"],
    [["serve", "--host", "0.0.0.0", "--auth", "none"], 1, "not a loopback address"],
    [["serve", "--role", "gateway"], 1, "The role gateway needs --join"],
  ])("%j fails with one line", async (words, expectedCode, expected) => {
    const needsUrl = words[0] === "ingest";
    const { code, out, error } = await run(...words, ...(needsUrl ? ["--url", url] : []));
    expect(error).toContain(expected);
    expect(error).not.toMatch(/\n\s+at /);
    expect(out).toBe("");
    expect(code).toBe(expectedCode);
  });
});

test("no server is one line, at once", async () => {
  const path = await file("rows.ndjson", '{"time":1}\n');
  await new Promise((resolve) => server.close(resolve));
  for (const words of [["tables"], ["status"], ["ingest", path, "--table", "t"]]) {
    expect(await run(...words, "--url", url)).toEqual({
      code: 1,
      out: "",
      error: `hadal: The connection to ${url} was lost.\n`,
    });
  }
  server.listen(0);
});

test("a machine is drained, takes rows again, and is waited for", async () => {
  const drain = async (...flags: readonly string[]) =>
    (await run("drain", "m1", ...flags, "--url", url)).out;
  expect(await drain()).toBe(
    "m1 is draining: it gets no new rows, and answers queries; its leaves hold 1,200 rows\n",
  );
  expect(await drain("--undo")).toBe("m1 is alive; its leaves hold 1,200 rows\n");
  expect(await drain("--wait")).toBe("m1 is drained and may be stopped\n");
  expect(JSON.parse(await drain("--json"))).toMatchObject({ name: "m1", state: "draining" });
  const both = await run("drain", "m1", "--undo", "--wait", "--url", url);
  expect(both).toMatchObject({ code: 1, out: "" });
  expect(both.error).toBe("hadal: --wait waits for a drain, not for --undo.\n");
});

test("tables and status, for people and as JSON", async () => {
  expect((await run("tables", "--url", url)).out).toBe(
    [
      "table     rows   memory  bytes/row  ratio  from                  to",
      "────────  ────  ───────  ─────────  ─────  ────────────────────  ──",
      "requests    12  1.5 KiB     128.00   0.50  1970-01-01T00:00:00Z  –",
      "",
    ].join("\n"),
  );
  expect(JSON.parse((await run("tables", "--json", "--url", url)).out)).toMatchObject([
    { name: "requests" },
  ]);
  const { out } = await run("status", "--url", url);
  expect(out).toContain(
    "leaf-1  leaf  alive     5  2.0 KiB   0 B  1970-01-01T00:00:00Z    7  127.0.0.1:1",
  );
  expect(out).toContain(
    [
      "the registry cannot be reached (it is away): machines as they were last known",
      "machine  state    leaves  rows   copies held  version  address",
      "───────  ───────  ──────  ────  ────────────  ───────  ─────────────",
      "m1       drained       2     –  1 of 2 whole  0.1.0    10.0.0.5:7401",
    ].join("\n"),
  );
  expect(out).toContain("q1 on t, 3 ms");
  expect(out).toContain(
    [
      "row-count ledger: rebuilding: the ledger is new; waiting for leaf-2",
      "  leaf-1 has lost 3 rows of t: segment-1.hds is damaged",
      "  leaf-1 cannot read x of 4 rows of t: segment-2.hds is damaged",
      "  share of u unknown: the ledger was damaged",
    ].join("\n"),
  );
  expect(JSON.parse((await run("status", "--json", "--url", url)).out)).toMatchObject({
    members: [{ id: "leaf-1" }],
  });
});

test("status says which leaves lack copies, and waits for them", async () => {
  leavesNotWhole = ["m1-leaf-1", "m1-leaf-2"];
  expect((await run("status", "--url", url)).out).toContain(
    "fewer machines than should have all rows of m1-leaf-1, m1-leaf-2\n",
  );
  expect((await run("status", "--wait-copies", "--url", url)).out).not.toContain("fewer machines");
  // Once before; one leaf, none, and then the status itself.
  expect(clusterAsked).toBe(4);
});

test("prints its version", async () => {
  const { code, out } = await run("--version");
  expect(code).toBe(0);
  expect(out).toMatch(/^hadal \d+\.\d+\.\d+\n$/);
});

test("the help of serve shows flag, variable, key and default of each setting", async () => {
  const { code, out } = await run("serve", "--help");
  expect(code).toBe(0);
  expect(out.replace(/\s+/g, " ")).toContain(
    '--port <port> port to listen on; 0 chooses a free one [HADAL_PORT, key "port", default 7400]',
  );
});
