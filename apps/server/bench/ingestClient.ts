import { createClient } from "@hadal/sdk";
import { timesOf } from "./benchTable.js";
import { endpointName, generateEvents, serviceName } from "./eventTables.js";
import type { IngestPlan, IngestTold } from "./ingestBench.js";

const countries = ["US", "DE", "FR", "BR", "IN", "JP"];
const devices = ["phone", "tablet", "desktop"];

/** A sender of rows in a process of its own, as real ones are: what it costs is not the server's. */
process.once("message", (plan: IngestPlan) => {
  sendRows(plan).then(
    () => process.disconnect(),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function sendRows(plan: IngestPlan): Promise<void> {
  const { url, bodyRows, bodyCount, connections, rounds } = plan;
  const client = createClient({ url });
  const bodies = Array.from({ length: bodyCount }, (_, index) => printBody(plan, index * bodyRows));
  const send = async (body: Uint8Array, table: string) => {
    const reply = await client.ingestBody(table, body, { contentType: "application/x-ndjson" });
    if (reply.accepted !== bodyRows) throw new Error(`only ${reply.accepted} rows accepted`);
  };
  const sendAll = async (table: string) => {
    let next = 0;
    const sendInTurn = async () => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++])
        await send(body, table);
    };
    await Promise.all(Array.from({ length: connections }, sendInTurn));
  };
  // The first bodies run in the baseline compiler: they warm up and do not count.
  await sendAll(plan.warmTable);
  const roundsMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now();
    await sendAll(plan.table);
    roundsMs.push(performance.now() - startedMs);
  }
  client.close();
  const bytes = bodies.reduce((sum, each) => sum + each.length, 0);
  const told: IngestTold = { roundsMs, bytesPerRow: bytes / (bodyCount * bodyRows) };
  process.send?.(told);
}

function printBody({ bodyRows, bodyCount }: IngestPlan, first: number): Uint8Array {
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
  return Buffer.from(`${lines.join("\n")}\n`);
}
