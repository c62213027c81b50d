import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { IngestReply, Problem } from "@hadal/sdk";
import {
  Float64,
  Int32,
  RecordBatchStreamWriter,
  Table,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Cluster, startCluster } from "../support/startCluster.js";

const startMs = 1_750_000_000_000;
const columnCount = 4_000;
/** What a body of few values may add to the gateway, and to a leaf beside the memory that it was given. */
const growthMbMax = 300;
const leafMemoryMb = 512;

let cluster: Cluster;
beforeEach(async () => {
  cluster = await startCluster({
    leaves: 2,
    environment: { HADAL_LEAF_MEMORY: String(leafMemoryMb) },
  });
});
afterEach(() => cluster?.stop());

interface Body {
  readonly contentType: string;
  readonly rowCount: number;
  readonly bytes: Uint8Array;
}

const gzipped = (contentType: string, rowCount: number, text: string): Body => ({
  ...{ contentType, rowCount, bytes: new Uint8Array(gzipSync(text, { level: 1 })) },
});

/** Row i has column c{i % columnCount} only, and i in it. */
const line = (i: number): string => `{"time":${startMs + i},"c${i % columnCount}":${i}}`;
const lines = (rowCount: number): string[] => Array.from({ length: rowCount }, (_, i) => line(i));

function csv(rowCount: number): string {
  const names = Array.from({ length: columnCount }, (_, c) => `c${c}`);
  const rows = Array.from({ length: rowCount }, (_, i) => {
    const at = i % columnCount;
    return `${startMs + i}${",".repeat(at + 1)}${i}${",".repeat(columnCount - at - 1)}`;
  });
  return [`time,${names.join(",")}`, ...rows].join("\n");
}

function arrow(rowCount: number): Uint8Array {
  const columns: Record<string, Vector> = {
    time: vectorFromArray(
      Array.from({ length: rowCount }, (_, i) => startMs + i),
      new Float64(),
    ),
  };
  for (let c = 0; c < columnCount; c++) {
    const values = new Array<number | null>(rowCount).fill(null);
    for (let i = c; i < rowCount; i += columnCount) values[i] = i;
    columns[`c${c}`] = vectorFromArray(values, new Int32());
  }
  return RecordBatchStreamWriter.writeAll(new Table(columns)).toUint8Array(true);
}

const bodies: Readonly<Record<string, () => Body>> = {
  NDJSON: () => gzipped("application/x-ndjson", 20_000, lines(20_000).join("\n")),
  "a JSON array": () => gzipped("application/json", 20_000, `[${lines(20_000).join(",\n")}]`),
  CSV: () => gzipped("text/csv", 2_000, csv(2_000)),
  Arrow: () => ({
    ...{ contentType: "application/vnd.apache.arrow.stream", rowCount: 2_000 },
    bytes: arrow(2_000),
  }),
};

/** The most that a process had in memory, in MB. */
function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1_024;
}

/** By process, and how much more each may have. */
async function peaks(): Promise<readonly { readonly mb: number; readonly growthMax: number }[]> {
  const { members } = await cluster.client.status();
  return members.map(({ pid, role }) => ({
    mb: peakMb(pid ?? 0),
    growthMax: role === "leaf" ? leafMemoryMb + growthMbMax : growthMbMax,
  }));
}

async function send(
  table: string,
  { contentType, bytes }: Body,
): Promise<{ status: number; body: IngestReply & Problem }> {
  const isPacked = bytes[0] === 0x1f;
  const response = await fetch(`${cluster.url}/api/v1/tables/${table}/rows?timeUnit=ms`, {
    method: "POST",
    headers: { "content-type": contentType, ...(isPacked ? { "content-encoding": "gzip" } : {}) },
    body: bytes as Uint8Array<ArrayBuffer>,
  });
  return { status: response.status, body: (await response.json()) as IngestReply & Problem };
}

test.each(Object.keys(bodies))(
  "thousands of columns in turn, as %s: stored in the memory that their values take",
  async (name) => {
    const body = bodies[name]!();
    const before = await peaks();
    expect(await send("wide", body)).toMatchObject({
      status: 200,
      body: { accepted: body.rowCount, rejected: 0 },
    });
    const after = await peaks();
    for (const [i, { mb, growthMax }] of after.entries())
      expect(mb - before[i]!.mb).toBeLessThan(growthMax);
    const asked = [0, 7, 1_999];
    const answer = await cluster.client.query({
      ...{ table: "wide", from: startMs, to: startMs + body.rowCount, exact: true },
      aggregates: [
        { fn: "count" },
        ...asked.flatMap((c) => [
          { fn: "count", column: `c${c}`, as: `n${c}` } as const,
          { fn: "sum", column: `c${c}`, as: `sum${c}` } as const,
        ]),
      ],
      timeoutMs: 60_000,
    });
    const named = new Map(answer.columns.map((column, i) => [column.name, answer.rows[0]?.[i]]));
    expect(named.get("count")).toBe(body.rowCount);
    for (const c of asked) {
      const values = Array.from(
        { length: Math.ceil((body.rowCount - c) / columnCount) },
        (_, k) => c + k * columnCount,
      );
      expect(named.get(`n${c}`)).toBe(values.length);
      expect(named.get(`sum${c}`)).toBe(values.reduce((sum, value) => sum + value, 0));
    }
  },
  180_000,
);
