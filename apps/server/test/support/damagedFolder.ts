import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SeededRandom } from "../oracle/seed/seededRandom.js";
import { type Cluster, startCluster } from "./startCluster.js";
import { waitUntil } from "./waitUntil.js";

export const startMs = Date.UTC(2025, 2, 1, 10);
const bodyRows = 150;

/** The rows of the folder that {@link fillFolder} makes, each of a millisecond of its own. */
export function rowsOf(table: string, body: number) {
  return Array.from({ length: bodyRows }, (_, k) => {
    const i = body * bodyRows + k;
    return {
      time: startMs + body * 60_000 + k * 7 + (table === "rated" ? 1 : 0),
      n: i * 13 - 500,
      service: `service-${i % 6}`,
      line: `GET /page/${i}?of=${(i * 7919) % 1009} answered in ${i % 97} ms`,
      ...(i % 3 === 0 ? { rare: i } : {}),
      tags: [`t${i % 4}`, "all"],
      ...(table === "rated" ? { sample_rate: 1 + (i % 5) } : {}),
    };
  });
}

export const tables = ["visits", "rated"] as const;
const sealedBodies = 3;
export const bodies = 6;
export const rowCount = bodies * bodyRows;

/** A data folder as a server leaves it: two tables on two leaves, sealed segments, open logs, and all documents. */
export async function fillFolder(dataDir: string): Promise<{ readonly linkId: string }> {
  let linkId = "";
  // Rows of the first start are sealed, those of the second are not.
  for (const [start, sealAfter] of ["1", "3600"].entries()) {
    const environment = { HADAL_SEAL_AFTER: sealAfter };
    const cluster = await startCluster({ leaves: 2, dataDir, environment });
    try {
      for (let body = start * sealedBodies; body < (start + 1) * sealedBodies; body++) {
        for (const table of tables) await sendBody(cluster, table, body);
      }
      if (start === 0) {
        await waitUntil("sealed segments on the disk", async () => {
          const names = await allFiles(dataDir);
          return names.every((name) => !name.endsWith(".hdl")) || null;
        });
        const retention = { maxAgeMs: null, maxBytes: 1e12 };
        await cluster.client.setTable("visits", { retention, thinning: [], columns: [] });
        await cluster.client.saveFunction("doubled", { source: "(x) => x * 2" });
        linkId = (await cluster.client.saveLink("/explore?table=visits")).id;
      }
    } finally {
      await cluster.stop();
    }
  }
  return { linkId };
}

async function sendBody({ client }: Cluster, table: string, body: number): Promise<void> {
  const lines = rowsOf(table, body).map((row) => JSON.stringify(row));
  const contentType = "application/x-ndjson";
  const reply = await client.ingestBody(table, lines.join("\n"), { contentType });
  if (reply.accepted !== bodyRows) throw new Error(JSON.stringify(reply));
}

/** Every file below a folder, but for locks. */
export async function allFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== "lock")
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export interface Mutation {
  readonly kind: "flip" | "cut" | "delete";
  readonly path: string;
  readonly at: number;
}

/** One wrong byte, as a rule; or the file ends early, or is gone. */
export async function mutate(path: string, random: SeededRandom): Promise<Mutation> {
  const bytes = await readFile(path);
  const at = bytes.length === 0 ? 0 : random.int(0, bytes.length - 1);
  const kind = random.chance(0.8) ? "flip" : random.pick(["cut", "delete"] as const);
  if (kind === "delete") await rm(path);
  else if (kind === "cut") await writeFile(path, bytes.subarray(0, at));
  else {
    bytes[at]! ^= random.int(1, 255);
    await writeFile(path, bytes);
  }
  return { kind, path, at };
}
