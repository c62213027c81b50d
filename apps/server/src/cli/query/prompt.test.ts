import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { HadalClient, Query, Result } from "@hadal/sdk";
import { HadalError } from "@hadal/sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitUntil } from "../../../test/support/waitUntil.js";
import { Prompt } from "./prompt.js";
import { readHistory, writeHistory } from "./promptHistory.js";
import { PromptWords } from "./promptWords.js";
import { isBlank, isStatement } from "./statementEnd.js";

const table = {
  name: "visits",
  rows: 3,
  bytes: 10,
  bytesPerRow: 3,
  compressionRatio: 2,
  fromMs: 0,
  toMs: 1,
};
const column = { name: "latency us", type: "int", rows: 3, bytes: 10, compressionRatio: 2 };

/** A result of one integer column; one leaf of two has answered. */
function resultOf(rows: Result["rows"]): Result {
  const leaves = { answered: 1, total: 2, missing: ["leaf-2"] };
  return {
    columns: [{ name: "n", type: "int", role: "aggregate" }],
    rows,
    completeness: { fraction: 0.75, rowsExpected: 4, rowsAnswered: 3, leaves },
    ...{ intervals: {}, asOf: 1, final: true, truncated: null },
    stats: {
      ...{ rowsScanned: 3, rowsMatched: 3, bytesScanned: 0, segments: 1, segmentsSkipped: 0 },
      ...{ cache: "miss", elapsedMs: 1, scanMs: 1, mergeMs: 0 },
    },
  };
}

interface Asked {
  readonly query: Query;
  readonly signal: AbortSignal | undefined;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-prompt-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A prompt over pipes, and a server that answers every query with a given answer. */
function startPrompt(answer: (asked: Asked) => Promise<Result>) {
  const asked: Asked[] = [];
  const client = {
    query: (query: Query, options: { signal?: AbortSignal } = {}) => {
      asked.push({ query, signal: options.signal });
      return answer({ query, signal: options.signal });
    },
    tables: async () => [table],
    table: async (name: string) => {
      if (name !== "visits") throw new HadalError("unknown-table", { table: name, nearest: "" });
      return { ...table, columns: [column], segments: 1 };
    },
  } as unknown as HadalClient;
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  output.on("data", (bytes: Buffer) => {
    shown += bytes.toString();
  });
  const historyFile = join(folder, "history");
  const prompt = new Prompt(client, {
    ...{ input, output, isTerminal: false, historyFile },
    url: "http://127.0.0.1:1",
  });
  const done = prompt.run();
  return { asked, input, prompt, done, shown: () => shown };
}

test("a query goes on to its semicolon; answers are tables, and problems show their place", async () => {
  const { asked, input, done, shown } = startPrompt(async ({ query }) => {
    if (query.table === "visits") return resultOf([[7]]);
    const part = { path: "table", code: "unknown-table", detail: "no such table" };
    throw new HadalError("unknown-table", { table: query.table, nearest: "" }, [part]);
  });
  input.write("SELECT count(*) -- not yet;\nFROM visits\n");
  input.write("WHERE time >= 0 AND time < 5 AND a = ';'\n;\n");
  input.write('{"table":"visits","from":0,"to":9};\n');
  input.write("SELECT *\nFROM visit WHERE time >= 0 AND time < 5;\n");
  input.write("SELEC 1;\n");
  input.end("\\q\n");
  await done;
  expect(asked.map(({ query }) => query.filter ?? query.to)).toEqual([
    [{ column: "a", op: "=", value: ";" }],
    9,
    5,
  ]);
  expect(shown()).toContain("n\n─\n7\n");
  expect(shown()).toContain("(1 row · 75 % of rows · 1/2 leaves");
  expect(shown()).toContain("line 2, column 6: no such table\n  FROM visit WHERE");
  expect(shown()).toContain('found "SELEC". Did you mean SELECT?\n  SELEC 1;\n  ^\n');
});

test("tables, columns, help, and words that mean nothing", async () => {
  const { asked, input, done, shown } = startPrompt(async () => resultOf([]));
  input.write('\\d\n\\d visits;\n\\d "visits"\n\\d nothing\n\\?\n\\x\n;\n   \n-- nothing\n');
  input.end();
  await done;
  expect(shown()).toContain("visits     3");
  expect(shown().split("latency us  int").length).toBe(3);
  expect(shown()).toContain("No table is called nothing.");
  expect(shown()).toContain("\\d TABLE");
  expect(shown()).toContain("No command is called \\x");
  expect(asked).toEqual([]);
});

test("Ctrl-C ends the query that runs, else drops the one being written", async () => {
  const { asked, input, prompt, done, shown } = startPrompt(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(new HadalError("cancelled")));
      }),
  );
  const sql = "SELECT count(*) FROM visits WHERE time >= 0 AND time < 5";
  input.write("SELECT nonsense that is\n");
  await waitUntil("the next line", () => (shown().includes("->") ? true : null));
  prompt.interrupt();
  input.write(`${sql};\n`);
  await waitUntil("the query", () => (asked.length === 1 ? true : null));
  prompt.interrupt();
  await waitUntil("its end", () => (shown().includes("Cancelled.") ? true : null));
  input.end("exit\n");
  await done;
  expect(asked[0]?.signal?.aborted).toBe(true);
  expect(asked[0]?.query).toMatchObject({ table: "visits", from: 0, to: 5 });
});

describe("completion", () => {
  const client = {
    tables: async () => [table, { ...table, name: "page views" }],
    table: async () => ({ ...table, columns: [column, { ...column, name: "country" }] }),
  } as unknown as HadalClient;
  test.each<[string, string, readonly string[]]>([
    ["SEL", "", ["SELECT"]],
    ["sel", "", ["select"]],
    ["SELECT count(*) FROM v", "", ["visits"]],
    ["FROM ", "SELECT count(*)", ["visits", '"page views"']],
    ["WHERE cou", "SELECT * FROM visits", ["country", "count", "count.raw", "count_if", "countif"]],
    ["\\", "", ["\\d", "\\q", "\\?"]],
    ["\\d vi", "", ["visits"]],
    ["SELECT zzz", "", []],
  ])("%s", async (line, before, expected) => {
    const [words] = await new PromptWords(client).complete(line, before);
    expect(words).toEqual(expected);
  });

  test("names of the table come with quotes where they need them", async () => {
    const [words] = await new PromptWords(client).complete("SELECT ", "SELECT 1 FROM visits WHERE");
    expect(words).toContain('"latency us"');
  });
});

test.each([
  ["select 1;", true, false],
  ["select ';", false, false],
  ["select ';'", false, false],
  ["select 1; -- more", true, false],
  ["select /* ; */", false, false],
  ['select ";', false, false],
  ["-- nothing;", false, true],
  ["  ", false, true],
])("%s is whole: %s, blank: %s", (text, whole, blank) => {
  expect(isStatement(text)).toBe(whole);
  expect(isBlank(text)).toBe(blank);
});

test("lines are kept from one prompt to the next, for their owner alone", async () => {
  const path = join(folder, "kept");
  expect(readHistory(path)).toEqual([]);
  writeHistory(path, ["newest", "older"]);
  expect(await readFile(path, "utf8")).toBe("older\nnewest\n");
  expect((await stat(path)).mode & 0o077).toBe(0);
  expect(readHistory(path)).toEqual(["newest", "older"]);
});
