import type { OracleTable } from "../oracle/oracleTable.js";
import { tableAsNdjson } from "../oracle/oracleTable.js";
import type { Cluster } from "./startCluster.js";

/** Sends all rows over HTTP in bodies of `bodyRows`, several at a time. Every row must be accepted. */
export async function loadTable(
  cluster: Cluster,
  table: OracleTable,
  bodyRows: number,
  connections = 4,
): Promise<void> {
  let next = 0;
  async function sendBodies(): Promise<void> {
    while (next < table.rows.length) {
      const rows = table.rows.slice(next, next + bodyRows);
      next += bodyRows;
      const reply = await cluster.client.ingestBody(table.name, tableAsNdjson(table, rows), {
        contentType: "application/x-ndjson",
      });
      if (reply.accepted === rows.length) continue;
      throw new Error(`${reply.rejected} rows refused: ${JSON.stringify(reply.problems[0])}`);
    }
  }
  await Promise.all(Array.from({ length: connections }, sendBodies));
}
