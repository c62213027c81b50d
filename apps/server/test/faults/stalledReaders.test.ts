import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryOf } from "../support/load/memoryOf.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2025, 4, 5, 12);
const rowCount = 40_000;
const text = "long text of a row that no one reads, ".repeat(12);

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2, environment: { HADAL_ANSWER_MEMORY: "48" } });
  for (let from = 0; from < rowCount; from += 5_000) {
    const lines = Array.from({ length: 5_000 }, (_, i) =>
      JSON.stringify({ time: startMs + from + i, n: from + i, text: `${from + i} ${text}` }),
    );
    await cluster.client.ingestBody("t", lines.join("\n"), { contentType: "application/x-ndjson" });
  }
}, 60_000);
afterAll(() => cluster?.stop());

/** Some 20 MB as JSON; each is a question of its own. */
const allRows = (i: number): Query => ({
  ...{ table: "t", from: startMs, to: startMs + rowCount, limit: rowCount, timeoutMs: 60_000 },
  ...{ sampleView: { columns: ["n", "text"] }, filter: [{ column: "n", op: ">=", value: i }] },
});

/** Asks over a connection of its own and takes nothing of the answer. */
async function askAndStall({ url }: Cluster, query: Query): Promise<Socket> {
  const { host, port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => undefined);
  socket.pause();
  const body = JSON.stringify({ query });
  socket.write(
    `POST /api/v1/query HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return socket;
}

test("four readers that take nothing of 20 MB each are cut off; who reads is answered, and memory stays bounded", async () => {
  const { members } = await cluster.client.status();
  const gateway = members.find(({ role }) => role === "gateway")?.pid ?? 0;
  const before = await memoryOf(gateway, "VmRSS");
  const sockets = await Promise.all(
    Array.from({ length: 4 }, (_, i) => askAndStall(cluster, allRows(i))),
  );
  const ofLeaves = [...(await cluster.leafPids()).values()];
  let most = 0;
  const answer = await cluster.client.query({
    ...{ table: "t", from: startMs, to: startMs + rowCount, timeoutMs: 60_000 },
    aggregates: [{ fn: "count" }],
  });
  expect(answer.rows).toEqual([[rowCount, rowCount]]);
  // Each in turn holds an answer and is cut off, until none is left.
  await waitUntil(
    "all answers to be let go of",
    async () => {
      most = Math.max(most, await memoryOf(gateway, "VmRSS"));
      const { admission } = await cluster.client.status();
      expect(admission.answerBytes).toBeLessThan(400_000_000);
      return admission.running + admission.waiting + admission.answerBytes === 0 ? true : null;
    },
    110_000,
  );
  expect(most - before).toBeLessThan(500_000_000);
  expect([...(await cluster.leafPids()).values()]).toEqual(ofLeaves);
  for (const socket of sockets) socket.destroy();
  const rows = await cluster.client.query(allRows(0));
  expect(rows.rows).toHaveLength(rowCount);
}, 120_000);
