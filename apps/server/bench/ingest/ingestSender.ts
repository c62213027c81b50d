import { open } from "node:fs/promises";
import { Agent, request } from "node:http";
import type { IngestReply } from "@hadal/sdk";
import { type Cut, printArrow } from "./sentBodies.js";
import { sentTables } from "./sentTable.js";

/** What the sending process is to send next. */
export interface SendOrder {
  readonly url: string;
  readonly sent: string;
  readonly table: string;
  readonly format: "ndjson" | "arrow";
  /** Of lines of JSON, with where each body begins and ends. */
  readonly file: string;
  readonly cuts: readonly Cut[];
  readonly connections: number;
}

export interface SendReport {
  readonly ms: number;
  readonly cpuMs: number;
  readonly rows: number;
  readonly bytes: number;
}

const contentTypes = {
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
} as const;

/** Arrow batches are printed once, before they are sent for the first time. */
const arrowBodies = new Map<string, readonly Uint8Array[]>();

// A process of its own, as real senders are: its share of the two cores counts too.
process.on("message", (order: SendOrder) => {
  send(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function send(order: SendOrder): Promise<SendReport> {
  const { url, table, format, connections, cuts } = order;
  const openBodies = format === "ndjson" ? bodiesOfFile : bodiesOfTable;
  const bodies = await openBodies(order);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const path = `${url}/api/v1/tables/${table}/rows`;
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  let [next, rows, bytes] = [0, 0, 0];
  const sendInTurn = async (): Promise<void> => {
    const read = bodies.openReader();
    for (let index = next++; index < cuts.length; index = next++) {
      const body = await read(index);
      const { accepted } = await post(path, { agent, contentType: contentTypes[format], body });
      rows += accepted;
      bytes += body.length;
    }
  };
  await Promise.all(Array.from({ length: connections }, sendInTurn));
  const { user, system } = process.cpuUsage(startedCpu);
  const report = { ms: performance.now() - startedMs, cpuMs: (user + system) / 1000, rows, bytes };
  agent.destroy();
  await bodies.close();
  return report;
}

interface Post {
  readonly agent: Agent;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Without `fetch`, which copies every body: a log shipper does not. */
function post(path: string, { agent, contentType, body }: Post): Promise<IngestReply> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": contentType, "content-length": body.length };
    const sent = request(path, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as IngestReply);
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

interface Bodies {
  /** For one connection: a body is good until the next one is read. */
  openReader(): (index: number) => Promise<Uint8Array>;
  close(): Promise<void>;
}

async function bodiesOfTable({ sent, cuts }: SendOrder): Promise<Bodies> {
  const table = sentTables.find(({ name }) => name === sent);
  if (table === undefined) throw new Error(`no table ${sent}`);
  const bodies =
    arrowBodies.get(sent) ??
    cuts.map(({ first, count }) => printArrow(table.columns(first, count)));
  arrowBodies.set(sent, bodies);
  return { openReader: () => async (index) => bodies[index]!, close: async () => undefined };
}

async function bodiesOfFile({ file, cuts }: SendOrder): Promise<Bodies> {
  const handle = await open(file);
  const bytesMax = Math.max(...cuts.map(({ from, to }) => to - from));
  return {
    openReader: () => {
      const buffer = Buffer.allocUnsafeSlow(bytesMax);
      return async (index) => {
        const { from, to } = cuts[index]!;
        await handle.read(buffer, 0, to - from, from);
        return buffer.subarray(0, to - from);
      };
    },
    close: () => handle.close(),
  };
}
