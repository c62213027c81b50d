import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../bin/hadal.js", import.meta.url));

test("with 256 open files idle connections of one client leave room for others, and a fault names no path (F25)", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-files-"));
  const command = `ulimit -n 256; exec "$0" "$@"`;
  const args = ["serve", "--port", "0", "--data-dir", dataDir, "--no-demo", "--leaves", "1"];
  const child = spawn("bash", ["-c", command, process.execPath, program, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const sockets: Socket[] = [];
  try {
    const url = await new Promise<string>((resolve) => {
      let output = "";
      child.stdout.on("data", (bytes: Buffer) => {
        output += bytes.toString();
        const found = /https?:\/\/[^\s]+/.exec(output)?.[0];
        if (found !== undefined && output.includes("\n")) resolve(found);
      });
    });
    let refused = 0;
    for (let i = 0; i < 300; i++) {
      const port = Number(new URL(url).port);
      const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
      socket.on("error", () => undefined);
      socket.on("data", (bytes) => {
        if (bytes.toString().includes("connectionsPerClient")) refused++;
      });
      sockets.push(socket);
      await once(socket, "connect");
    }
    const send = (table: string): Promise<Response> =>
      fetch(`${url}/api/v1/tables/${table}/rows`, {
        method: "POST",
        headers: { "content-type": "application/x-ndjson" },
        body: '{"time":1700000000000,"n":1}',
      });
    expect((await send("t")).status).toBe(200);
    expect(refused).toBeGreaterThan(150);
    // Each table has a log: at some time there is no file left for one more.
    let answer = await send("t0");
    for (let i = 1; i < 300 && answer.ok; i++) {
      await answer.arrayBuffer();
      answer = await send(`t${i}`);
    }
    expect(answer.status).toBe(507);
    const problem = await answer.text();
    expect(problem).toContain("too many open files");
    expect(problem).not.toContain(dataDir);
    // Tables that are there take rows on.
    expect((await send("t")).status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
    child.kill();
    await once(child, "exit");
    await rm(dataDir, { recursive: true, force: true });
  }
}, 60_000);
