import {
  type HadalClient,
  HadalError,
  type Ingest,
  type IngestSummary,
  limitMax,
  type Query,
  type Result,
} from "@hadal/sdk";
import { expect } from "vitest";
import { waitUntil } from "./waitUntil.js";

export const rowsFromMs = Date.UTC(2026, 4, 13, 12);

/** A row that proves by itself that it is whole. */
export const rowOf = (id: number) => ({
  time: rowsFromMs + id,
  id,
  checksum: (id * 7_919) % 1_000_003,
  text: `row ${id} of the journal, käse ${id % 17}`,
  parts: ["journal", `part-${id % 5}`],
});

export interface Journal {
  readonly pushed: number;
  readonly summary: IngestSummary;
}

/** Pushes rows with ids from 0 until it is stopped; the client retries what a dead leaf did not answer. */
export async function pushRows(ingest: Ingest, isDone: () => boolean): Promise<Journal> {
  let id = 0;
  for (; !isDone() && id < limitMax; id++) await ingest.push(rowOf(id));
  return { pushed: id, summary: await ingest.close() };
}

/** A leaf that is back has to say first whether it has what another one keeps a hint of. */
function wholeAnswer(client: HadalClient, query: Query): Promise<Result> {
  const ask = (): Promise<Result | null> =>
    client.query({ ...query, exact: true }).catch((error: unknown) => {
      if (error instanceof HadalError && error.code === "incomplete") return null;
      throw error;
    });
  return waitUntil("all rows answer", ask, 30_000);
}

/** Every id from 0 to pushed − 1 once, with the values it was sent with. */
export async function expectEachRowOnce(
  client: HadalClient,
  table: string,
  pushed: number,
): Promise<void> {
  const result = await wholeAnswer(client, {
    table,
    from: rowsFromMs,
    to: rowsFromMs + pushed,
    sampleView: { columns: ["id", "checksum", "text", "parts"] },
    limit: limitMax,
    timeoutMs: 60_000,
  });
  expect(result.completeness.fraction).toBe(1);
  expect(result.truncated).toBeNull();
  const at = (name: string) => result.columns.findIndex((column) => column.name === name);
  const [idAt, checksumAt, textAt, partsAt] = ["id", "checksum", "text", "parts"].map(at);
  const copies = new Uint8Array(pushed);
  let damaged = 0;
  for (const row of result.rows) {
    const id = Number(row[idAt!]);
    copies[id] = (copies[id] ?? 0) + 1;
    const sent = rowOf(id);
    const isWhole =
      Number(row[checksumAt!]) === sent.checksum &&
      row[textAt!] === sent.text &&
      JSON.stringify(row[partsAt!]) === JSON.stringify(sent.parts);
    if (!isWhole) damaged++;
  }
  const lost = copies.filter((count) => count === 0).length;
  const doubled = copies.filter((count) => count > 1).length;
  expect({ rows: result.rows.length, lost, doubled, damaged }).toEqual({
    rows: pushed,
    lost: 0,
    doubled: 0,
    damaged: 0,
  });
}
