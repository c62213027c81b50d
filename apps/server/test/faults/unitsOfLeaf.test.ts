import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resolveQuery } from "../../src/aggregate/function/resolveQuery.js";
import { decodePartialResult } from "../../src/aggregate/merge/partialCodec.js";
import type { RowBatch } from "../../src/base/row/rowBatch.js";
import { encodeRowBatch } from "../../src/base/row/rowBatchCodec.js";
import type { UnitSnapshot, UnitStamp } from "../../src/base/row/unitSnapshot.js";
import { createLeafConnection } from "../../src/cluster/connectToLeaf.js";
import type { LeafConnection, StreamedPartial } from "../../src/cluster/leafConnection.js";
import type { LeafRequestBody } from "../../src/cluster/leafProtocol.js";
import type { LeafReply } from "../../src/cluster/leafReply.js";
import { createTableSchema } from "../../src/plan/schema/tableSchema.js";
import { leafEnvironment } from "../../src/role/processMessages.js";
import { type RunningHadal, spawnHadal } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const key = "a key of the test's own";
const timeoutMs = 20_000;
const rowsOfPart = 3_000;
const range = { from: 0, to: 3_600_000 };

let folder = "";
let leaf: RunningHadal;
let connection: LeafConnection;

/** A real leaf process; this test is its gateway. */
async function start(): Promise<void> {
  const flags = ["serve", "--role", "leaf", "--port", "0", "--leaf-memory", "256"];
  leaf = spawnHadal([...flags, "--data-dir", join(folder, "leaf-1")], {
    [leafEnvironment.id]: "leaf-1",
    [leafEnvironment.key]: key,
  });
  const address = (): string | null => /ws:\/\/(\S+)/.exec(leaf.output.out)?.[1] ?? null;
  await waitUntil("the leaf", address, 40_000);
  connection = createLeafConnection({ id: "leaf-1", address, key });
  await waitUntil("a connection", () => (connection.state === "alive" ? true : null));
}

async function end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  connection.close();
  leaf.child.kill(signal);
  await leaf.exited;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-test-"));
  await start();
}, 60_000);
afterAll(async () => {
  await end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

async function request(body: LeafRequestBody, bytes?: Uint8Array): Promise<LeafReply> {
  return (await connection.request(body, bytes, { timeoutMs })).header;
}

function batchOf(value: bigint): RowBatch {
  const values = new BigInt64Array(rowsOfPart).fill(value);
  const times = Float64Array.from({ length: rowsOfPart }, (_, i) => i * 1_000);
  const column = { name: "n", type: "int", decimals: 0, values, present: null } as const;
  return { rowCount: rowsOfPart, times, columns: [column] };
}

function append(table: string, value: number, unit: UnitStamp): Promise<LeafReply> {
  const batch = { batchId: `${table}/${unit.number}`, contentHash: `${value}` };
  const fields = { kind: "append", table, ...batch, durable: true, unit } as const;
  return request(fields, encodeRowBatch(batchOf(BigInt(value))));
}

interface Seen {
  readonly sum: bigint;
  readonly rows: number;
  readonly held: number;
  readonly snapshot: UnitSnapshot | undefined;
}

async function ask(table: string, snapshot?: UnitSnapshot): Promise<Seen> {
  const schema = createTableSchema(table, [{ name: "n", type: "int", decimals: 0 }]);
  const query: Query = {
    table,
    ...range,
    aggregates: [{ fn: "count" }, { fn: "sum", column: "n" }],
  };
  const { resolved } = resolveQuery(query, schema, range.to);
  let last: StreamedPartial | null = null;
  await connection.streamQuery(resolved, {
    budgetMs: timeoutMs,
    ...(snapshot !== undefined && { snapshot }),
    onPartial: (partial) => {
      last = partial;
    },
  });
  const { body, stats } = last!;
  const { sides } = decodePartialResult(body, resolved);
  let [rows, total] = [0, 0n];
  for (const state of sides[0]!.states) {
    if (state.kind === "count") rows = state.values[0] ?? 0;
    if (state.kind === "sum")
      total = BigInt(state.hi[0] ?? 0) * 2n ** 32n + BigInt(state.lo[0] ?? 0);
  }
  return { sum: total, rows, held: stats.rowsHeld, snapshot: stats.snapshot };
}

const stamp = (number: number): UnitStamp => ({ gateway: "", number, parts: 2 });

test("units over two tables are seen whole in each snapshot, whenever the leaf is killed (L1, L4)", async () => {
  const aborted: number[] = [];
  let committed = 0;
  const snapshotAt = (upTo: number, undecided: readonly number[]): UnitSnapshot => ({
    "": { upTo, except: [...aborted, ...undecided] },
  });
  const check = async (snapshot?: UnitSnapshot): Promise<void> => {
    const [a, b] = await Promise.all([ask("a", snapshot), ask("b", snapshot)]);
    expect(a.sum + b.sum).toBe(0n);
    expect([a.rows, b.rows]).toEqual([committed * rowsOfPart, committed * rowsOfPart]);
    expect([a.held, b.held]).toEqual([a.rows, b.rows]);
  };
  const numbers = Array.from({ length: 40 }, (_, i) => i + 1);
  for (const number of numbers) {
    await append("a", number, stamp(number));
    // Of its two parts only one is there.
    await check(snapshotAt(number, [number]));
    if (number % 10 === 7) {
      await end("SIGKILL");
      await start();
      await check(snapshotAt(number, [number]));
      const reply = await request({ kind: "undecided" });
      const found = { table: "a", batchId: `a/${number}`, unit: stamp(number) };
      expect(reply).toMatchObject({ kind: "undecided", batches: [found] });
    }
    await append("b", -number, stamp(number));
    await check(snapshotAt(number, [number]));
    if (number % 9 === 0) aborted.push(number);
    else committed++;
    // Before the leaf knows that it is decided, and after that.
    await check(snapshotAt(number, []));
    const except = [...aborted];
    await request({ kind: "settle", gateway: "", upTo: number, except, aborted });
    await check(snapshotAt(number, []));
    await check();
  }
  const { snapshot } = await ask("a");
  expect(snapshot).toEqual(snapshotAt(numbers.length, []));
  // In time the rows have no stamps any more.
  const old = snapshotAt(numbers.length - 1, []);
  await waitUntil("the snapshot to be too old", async () => {
    const asked = await ask("a", old).then(
      () => null,
      (error: { readonly code?: string }) => error.code,
    );
    if (asked !== null) expect(asked).toBe("snapshot-too-old");
    return asked;
  });
  await check(snapshotAt(numbers.length, []));
  await end("SIGKILL");
  await start();
  await check();
}, 120_000);

test("a leaf says that it takes units", async () => {
  const reply = await request({ kind: "status" });
  expect(reply).toMatchObject({ kind: "status", status: { takesUnits: true } });
});
