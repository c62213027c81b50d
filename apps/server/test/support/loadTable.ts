import type { OracleTable } from "../oracle/table/oracleTable.js";
import { tableAsNdjson } from "../oracle/table/oracleTable.js";
import type { Cluster } from "./startCluster.js";

/** Sends all rows to one cluster or to each of several, over HTTP in bodies of `bodyRows`, several at a time. Every row must be accepted. */
export async function loadTable(
  clusters: Pick<Cluster, "client"> | readonly Pick<Cluster, "client">[],
  table: OracleTable,
  bodyRows: number,
  connections = 4,
): Promise<void> {
  const all = "client" in clusters ? [clusters] : clusters;
  let next = 0;
  async function sendBodies(): Promise<void> {
    while (next < table.rows.length) {
      const rows = table.rows.slice(next, next + bodyRows);
      next += bodyRows;
      const body = tableAsNdjson(table, rows);
      await Promise.all(all.map((cluster) => sendBody(cluster, table.name, body, rows.length)));
    }
  }
  await Promise.all(Array.from({ length: connections }, sendBodies));
}

async function sendBody(
  { client }: Pick<Cluster, "client">,
  table: string,
  body: string,
  rowCount: number,
): Promise<void> {
  const options = { contentType: "application/x-ndjson", timeUnit: "ms" } as const;
  const reply = await client.ingestBody(table, body, options);
  if (reply.accepted === rowCount) return;
  throw new Error(`${reply.rejected} rows refused: ${JSON.stringify(reply.problems[0])}`);
}
