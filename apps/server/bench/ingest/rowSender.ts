import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { HadalClient } from "@hadal/sdk";
import { timeoutMs } from "../query/benchQuery.js";
import type { SendOrder, SendReport } from "./ingestSender.js";
import { processorMs } from "./processTime.js";
import type { Cut } from "./sentBodies.js";
import type { SentTable } from "./sentTable.js";

const program = fileURLToPath(new URL("./ingestSender.js", import.meta.url));

const settleMs = 1_500;

/** What one load took: processor milliseconds by process. */
export interface Load {
  readonly ms: number;
  readonly cpuMs: Readonly<Record<string, number>>;
}

interface SenderDeps {
  readonly url: string;
  readonly file: string;
  readonly cuts: readonly Cut[];
  /** The gateway's and the leaves' processes. */
  readonly pids: ReadonlyMap<string, number>;
  readonly client: HadalClient;
  readonly table: SentTable;
  readonly connections: number;
}

/** Sends all rows of a table to a new one, again and again. */
export class RowSender {
  readonly #child = fork(program);
  readonly #deps: SenderDeps;
  #round = 0;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Sends all rows to a new table, asks for their number, and deletes it. */
  async load(format: SendOrder["format"]): Promise<Load> {
    const { url, file, cuts, client, table: sent, connections } = this.#deps;
    const table = `${sent.name}_${this.#round++}`;
    const order = { url, sent: sent.name, table, format, file, cuts, connections };
    const before = this.#processorMs();
    this.#child.send(order satisfies SendOrder);
    const [{ ms, cpuMs, rows }] = (await once(this.#child, "message")) as [SendReport];
    const startedMs = performance.now();
    const { rows: answer } = await client.query({
      table,
      from: 0,
      to: "now",
      aggregates: [{ fn: "count" }],
      timeoutMs,
    });
    const askMs = performance.now() - startedMs;
    if (rows !== sent.rowCount || answer[0]?.[0] !== rows)
      throw new Error(`${rows} rows accepted, ${answer[0]?.[0]} visible, of ${sent.rowCount}`);
    const replied = this.#processorMs();
    // What is sealed and merged after the reply counts too.
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const after = this.#processorMs();
    const times = {
      sender: cpuMs,
      gateway: replied.gateway - before.gateway,
      leaves: replied.leaves - before.leaves,
      afterwards: after.gateway + after.leaves - replied.gateway - replied.leaves,
    };
    await client.deleteTable(table);
    return { ms: ms + askMs, cpuMs: times };
  }

  #processorMs(): { readonly gateway: number; readonly leaves: number } {
    const times = { gateway: 0, leaves: 0 };
    for (const [id, pid] of this.#deps.pids)
      times[id.startsWith("leaf") ? "leaves" : "gateway"] += processorMs(pid);
    return times;
  }

  close(): void {
    this.#child.disconnect();
  }
}
