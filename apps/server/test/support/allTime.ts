import type { Query, Result } from "@hadal/sdk";
import { expect } from "vitest";
import type { Cluster } from "./startCluster.js";

/** The whole range of time that a row can have. */
export const allTime = { from: -62_135_596_800_000, to: 253_402_300_800_000 } as const;

/** Sends lines as they stand, every one of which must be accepted: a number beyond 2^53 must not go through a double on its way. */
export async function sendLines(
  { client }: Cluster,
  table: string,
  lines: readonly string[],
): Promise<void> {
  const contentType = "application/x-ndjson";
  // Small numbers are times too: tests say so.
  const options = { contentType, timeUnit: "ms" } as const;
  const reply = await client.ingestBody(table, `${lines.join("\n")}\n`, options);
  expect(reply, JSON.stringify(reply.problems)).toMatchObject({ accepted: lines.length });
}

export function sendRows(cluster: Cluster, table: string, rows: readonly object[]): Promise<void> {
  return sendLines(
    cluster,
    table,
    rows.map((row) => JSON.stringify(row)),
  );
}

/** Asks about all rows of a table, and takes no answer that lacks any. */
export function askAll(
  { client }: Cluster,
  table: string,
  query: Partial<Query> = {},
): Promise<Result> {
  return client.query({ table, ...allTime, exact: true, timeoutMs: 20_000, ...query });
}
