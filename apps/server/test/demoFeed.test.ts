import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "./support/startCluster.js";

const feed = fileURLToPath(new URL("../dist/demo.js", import.meta.url));
/**
 * Starts the feed as the server does, stops it at its first word, and is killed: when the feed goes on it has answers
 * to tell of and no one to tell.
 */
const parent = `
  const { fork } = require("node:child_process");
  const child = fork(process.argv[1], [process.argv[2]], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  child.once("message", () => {
    child.kill("SIGSTOP");
    console.log(child.pid);
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 500);
  });
`;
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ leaves: 1 });
});
afterAll(() => cluster?.stop());

test("whose server is killed in the middle of the history, it ends without a word", async () => {
  const running = spawn(process.execPath, ["-e", parent, feed, cluster.url], {
    env: { ...process.env, HADAL_DEMO_ROWS: "400000" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { out: "", err: "" };
  running.stdout.on("data", (bytes: Buffer) => {
    output.out += bytes.toString();
  });
  running.stderr.on("data", (bytes: Buffer) => {
    output.err += bytes.toString();
  });
  // The pipe of errors is the feed's too: it ends with the last of both.
  const closed = once(running, "close");
  await once(running, "exit");
  process.kill(Number(output.out), "SIGCONT");
  await closed;
  expect(running.signalCode).toBe("SIGKILL");
  expect(output.err).toBe("");
});
