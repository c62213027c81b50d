import type { HadalClient } from "@hadal/sdk";
import { timeoutMs } from "./benchQuery.js";
import type { BenchResult } from "./benchReport.js";
import { endMs, startMs, timesOf } from "./benchTable.js";
import { endpointName, generateEvents, serviceName } from "./eventTables.js";

const bodyRows = 5_000;
const bodyCount = 40;
const connections = 8;
const countries = ["US", "DE", "FR", "BR", "IN", "JP"];
const devices = ["phone", "tablet", "desktop"];

/** Rows of 13 columns and some 350 bytes over HTTP, durable, on several connections. */
export async function benchIngest(client: HadalClient): Promise<BenchResult> {
  const bodies = Array.from({ length: bodyCount }, (_, index) => printBody(index * bodyRows));
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  const send = async (body: string, table: string) => {
    const reply = await client.ingestBody(table, body, { contentType: "application/x-ndjson" });
    if (reply.accepted !== bodyRows) throw new Error(`only ${reply.accepted} rows accepted`);
  };
  // The first bodies run in the baseline compiler: they warm up and do not count.
  for (const body of bodies.slice(0, 4)) await send(body, "ingest_warm");
  const startedMs = performance.now();
  let next = 0;
  const sendInTurn = async () => {
    while (next < bodies.length) await send(bodies[next++] ?? "", "ingested");
  };
  await Promise.all(Array.from({ length: connections }, sendInTurn));
  const hadalMs = performance.now() - startedMs;
  const rowCount = bodyCount * bodyRows;
  const { rows } = await client.query({
    ...{ table: "ingested", from: startMs, to: endMs, timeoutMs },
    aggregates: [{ fn: "count" }],
  });
  return {
    ...{ query: "ingest-ndjson", hadalMs, peers: {}, ratio: null, bytesScanned: bytes },
    checked: rows[0]?.[0] === rowCount,
    rowsPerSecond: rowCount / (hadalMs / 1000),
    note: `${Math.round(bytes / rowCount)} bytes a row, ${connections} connections, durable`,
  };
}

function printBody(first: number): string {
  const rows = generateEvents(first, bodyRows);
  const times = timesOf(first, bodyRows, bodyCount * bodyRows);
  const lines = Array.from({ length: bodyRows }, (_, i) => {
    const user = rows.userId[i] ?? 0;
    const endpoint = endpointName(rows.endpoint[i] ?? 0);
    return JSON.stringify({
      time: times[i],
      service: serviceName(rows.service[i] ?? 0),
      endpoint,
      status: rows.status[i],
      latency_us: rows.latencyUs[i],
      bytes: rows.bytes[i],
      user_id: user,
      country: countries[user % countries.length],
      device: devices[user % devices.length],
      app_version: `5.${user % 12}.${user % 4}`,
      features: { $set: ["beta", "dark"].slice(user % 3) },
      stack: ["main", "serve", "route", `render_${user % 20}`],
      message: `GET ${endpoint} took ${rows.latencyUs[i]} us for user ${user}`,
    });
  });
  return `${lines.join("\n")}\n`;
}
