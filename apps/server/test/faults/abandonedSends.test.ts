import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { askAll } from "../support/allTime.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { pause, waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2026, 5, 1, 12);
const bodyRows = 40_000;
const sends = 80;

const text = Array.from({ length: bodyRows }, (_, i) =>
  JSON.stringify({ time: startMs + i * 50, service: `service-${i % 17}`, path: `/a/${i % 997}` }),
).join("\n");
const bodies = {
  "application/x-ndjson": text,
  "application/json": `[${text.replaceAll("\n", ",\n")}]`,
  "text/csv": `time,service,path\n${text.replaceAll(/[{}"]|time:|service:|path:/g, "")}`,
};

let cluster: Cluster | undefined;

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

/** Sends a part of a body, and closes the connection some milliseconds later without an answer. */
function abandon(url: string, body: Uint8Array, headers: Record<string, string>, i: number) {
  return new Promise<void>((resolve) => {
    const length = i % 2 === 0 ? { "content-length": body.length } : {};
    const sending = request(`${url}/api/v1/tables/t/rows`, {
      method: "POST",
      headers: { ...headers, ...length, "x-hadal-session": `sender-${i % 9}` },
    });
    sending.on("error", () => undefined);
    sending.on("close", resolve);
    sending.on("response", (response) => response.resume());
    const share = [1, 0.5, 0.1, 1][i % 4]!;
    sending.write(body.subarray(0, Math.floor(body.length * share)), () => {
      if (share === 1) sending.end();
      void pause((i * 37) % 400).then(() => sending.destroy());
    });
  });
}

test("sends whose clients hang up in any phase leave room and turns to others", {
  timeout: 120_000,
}, async () => {
  const environment = { HADAL_INGEST_MEMORY: "128", HADAL_SENDS_WAITING: "40" };
  cluster = await startCluster({ leaves: 2, environment });
  const { url, client } = cluster;
  const kinds = Object.entries(bodies).flatMap(([contentType, body]) => [
    { headers: { "content-type": contentType }, body: Buffer.from(body) },
    {
      headers: { "content-type": contentType, "content-encoding": "gzip" },
      body: gzipSync(body, { level: 1 }),
    },
  ]);
  await Promise.all(
    Array.from({ length: sends }, async (_, i) => {
      await pause((i % 30) * 40);
      const { headers, body } = kinds[i % kinds.length]!;
      await abandon(url, body, headers as Record<string, string>, i);
    }),
  );
  const nothingHeld = async () => {
    const { ingest } = await client.status();
    return ingest.bytesHeld === 0 && ingest.waiting === 0 ? ingest : null;
  };
  await waitUntil("the room of all sends", nothingHeld, 30_000);
  const answer = await fetch(`${url}/api/v1/tables/t/rows`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: text,
  });
  expect(await answer.json()).toMatchObject({ accepted: bodyRows });
  // Whole bodies or nothing.
  expect(Number((await askAll(cluster, "t")).rows[0]?.[0]) % bodyRows).toBe(0);
});
