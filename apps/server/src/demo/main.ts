import { createClient } from "@hadal/sdk";
import { systemClock } from "./demoClock.js";
import { historyRowsDefault } from "./demoSize.js";
import { demoTable, startDemo } from "./startDemo.js";

/** Messages from this process to its parent. */
export type DemoMessage =
  | {
      readonly kind: "demo-progress";
      readonly table: string;
      readonly rows: number;
      readonly fraction: number;
    }
  | { readonly kind: "demo-ready"; readonly table: string }
  | { readonly kind: "demo-failed"; readonly table: string; readonly detail: string };

const url = process.argv[2] ?? process.env.HADAL_URL;
const rowsText = process.env.HADAL_DEMO_ROWS;

if (url === undefined) {
  console.error("usage: demo.js URL   (or HADAL_URL=…); HADAL_DEMO_ROWS sets the rows of history");
  process.exit(2);
}
let stopped = false;
await feed(url);

/** Feeds the demo table of a running server until the process is asked to stop or its parent is gone. */
async function feed(serverUrl: string): Promise<void> {
  const token = process.env.HADAL_TOKEN;
  const client = createClient({ url: serverUrl, ...(token !== undefined && { token }) });
  try {
    const demo = startDemo({
      client,
      clock: systemClock,
      historyRows: rowsText === undefined ? historyRowsDefault : Number(rowsText),
      onProgress: (progress) => tell({ kind: "demo-progress", ...progress }),
    });
    for (const event of ["SIGINT", "SIGTERM", "disconnect"] as const) {
      process.once(event, () => {
        stopped = true;
        void demo.stop();
      });
    }
    await demo.ready;
    tell({ kind: "demo-ready", table: demoTable });
    await demo.done;
  } catch (error) {
    if (!stopped) {
      tell({ kind: "demo-failed", table: demoTable, detail: String(error) });
      process.exitCode = 1;
    }
  } finally {
    client.close();
    if (process.connected) process.disconnect();
  }
}

function tell(message: DemoMessage): void {
  if (process.send === undefined) console.error(textOf(message));
  // A parent that has ended is no error: the feed ends with `disconnect`.
  else if (process.connected) process.send(message, undefined, undefined, () => undefined);
}

function textOf(message: DemoMessage): string {
  switch (message.kind) {
    case "demo-progress":
      return `${message.table}: ${Math.round(message.fraction * 100)} % (${message.rows} rows)`;
    case "demo-ready":
      return `${message.table}: history loaded, feeding live rows`;
    case "demo-failed":
      return `${message.table}: ${message.detail}`;
  }
}
