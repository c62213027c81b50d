import { createClient } from "@hadal/sdk";
import {
  Dictionary,
  Field,
  Int32,
  Int64,
  List,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { timesOf } from "../table/benchTable.js";
import { endpointName, generateEvents, serviceName } from "../table/eventTables.js";
import type { IngestPlan, IngestTimes } from "./ingestBench.js";

const countries = ["US", "DE", "FR", "BR", "IN", "JP"];
const wholeNumbers = ["status", "latency_us", "bytes", "user_id"] as const;
const repeated = ["service", "endpoint", "country", "device", "app_version"] as const;
const lists = ["features", "stack"] as const;
const contentTypes = {
  ndjson: "application/x-ndjson",
  columnar: "application/vnd.apache.arrow.stream",
} as const;
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
    const reply = await client.ingestBody(table, body, { contentType: contentTypes[plan.format] });
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
  const times: IngestTimes = { roundsMs, bytesPerRow: bytes / (bodyCount * bodyRows) };
  process.send?.(times);
}

function printBody(plan: IngestPlan, first: number): Uint8Array {
  const rows = rowsOf(plan, first);
  if (plan.format === "columnar") return printColumns(rows);
  const lines = rows.map((row) => JSON.stringify({ ...row, features: { $set: row.features } }));
  return Buffer.from(`${lines.join("\n")}\n`);
}

function rowsOf({ bodyRows, bodyCount }: IngestPlan, first: number) {
  const rows = generateEvents(first, bodyRows);
  const times = timesOf(first, bodyRows, bodyCount * bodyRows);
  return Array.from({ length: bodyRows }, (_, i) => {
    const user = rows.userId[i] ?? 0;
    const endpoint = endpointName(rows.endpoint[i] ?? 0);
    return {
      time: times[i] ?? 0,
      service: serviceName(rows.service[i] ?? 0),
      endpoint,
      status: rows.status[i] ?? 0,
      latency_us: rows.latencyUs[i] ?? 0,
      bytes: rows.bytes[i] ?? 0,
      user_id: user,
      country: countries[user % countries.length] ?? "",
      device: devices[user % devices.length] ?? "",
      app_version: `5.${user % 12}.${user % 4}`,
      features: ["beta", "dark"].slice(user % 3),
      stack: ["main", "serve", "route", `render_${user % 20}`],
      message: `GET ${endpoint} took ${rows.latencyUs[i]} us for user ${user}`,
    };
  });
}

/** Strings that repeat as dictionaries, as collectors send them. */
function printColumns(rows: ReturnType<typeof rowsOf>): Uint8Array {
  const types = {
    ...Object.fromEntries(wholeNumbers.map((name) => [name, new Int32()])),
    ...Object.fromEntries(repeated.map((name) => [name, new Dictionary(new Utf8(), new Int32())])),
    ...Object.fromEntries(lists.map((name) => [name, new List(new Field("item", new Utf8()))])),
  };
  const names = ["time", ...wholeNumbers, ...repeated, ...lists, "message"] as const;
  const columns = names.map((name) => {
    if (name === "time") {
      return [
        name,
        vectorFromArray(
          rows.map(({ time }) => BigInt(time)),
          new Int64(),
        ),
      ] as const;
    }
    const type = name === "message" ? new Utf8() : types[name];
    if (type === undefined) throw new Error(`no type for ${name}`);
    return [name, vectorFromArray(rows.map((row) => row[name]) as never[], type)] as const;
  });
  return tableToIPC(new Table(Object.fromEntries(columns)), "stream");
}
