import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Sends the demo's history to a server, without the live rows that follow it. */
export async function fillDemo(url: string, rows: number): Promise<void> {
  (await feedDemo(url, rows)).kill();
}

/** The same, and rows go on coming until the process is ended. */
export async function feedDemo(url: string, rows: number): Promise<ChildProcess> {
  const demo = spawn(process.execPath, [join(import.meta.dirname, "demo.js"), url], {
    env: { ...process.env, HADAL_DEMO_ROWS: String(rows) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  for await (const line of createInterface({ input: demo.stderr }))
    if (line.includes("history loaded")) break;
  return demo;
}
