import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AckLevel, createClient, HadalError, type IngestReply } from "@hadal/sdk";
import type { Say } from "./machines/machineFault.js";
import { ResettingProxy } from "./machines/resettingProxy.js";
import { type OwnServer, startOwnServer } from "./ownServer.js";

const fromMs = Date.UTC(2026, 0, 1);
const batchRows = 200;
const ndjson = { contentType: "application/x-ndjson" } as const;
const host = "127.0.0.1";

const rowsOf = (batch: number): string =>
  Array.from({ length: batchRows }, (_, i) => {
    const n = batch * batchRows + i;
    return `{"time":${fromMs + n},"batch":${batch},"n":${n}}`;
  }).join("\n");

/** Rows of each batch that is stored, once the answer is whole. */
async function storedBatches({ client }: OwnServer, table: string): Promise<Map<number, number>> {
  for (;;) {
    const found = await client
      .query({
        ...{ table, from: fromMs, to: fromMs + 1e9, exact: true, timeoutMs: 5_000 },
        ...{ groupBy: ["batch"], aggregates: [{ fn: "count" }] },
      })
      .catch(() => null);
    if (found?.completeness.fraction === 1)
      return new Map(found.rows.map(([batch, count]) => [Number(batch), Number(count)]));
    await sleep(50);
  }
}

/** Throws where a batch that was acknowledged is not there, or one is there in part or twice. */
async function checkStored(
  server: OwnServer,
  table: string,
  acked: ReadonlySet<number>,
): Promise<void> {
  const stored = await storedBatches(server, table);
  for (const [batch, count] of stored)
    if (count !== batchRows) throw new Error(`${count} of ${batchRows} rows of batch ${batch}`);
  for (const batch of acked) if (!stored.has(batch)) throw new Error(`batch ${batch} is lost`);
}

/** The server is ended again and again while four senders have rows stored. */
export async function endedUnderLoad(say: Say): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-faults-"));
  for (const ack of ["received", "durable"] as const satisfies readonly AckLevel[]) {
    const acked = new Set<number>();
    const tookMs: number[] = [];
    let next = 0;
    for (let round = 0; round < 5; round++) {
      const server = await startOwnServer({ dataDir });
      let isEnding = false;
      const sending = Array.from({ length: 4 }, async () => {
        while (!isEnding) {
          const batch = next++;
          await server.client.ingestBody(`ended_${ack}`, rowsOf(batch), { ...ndjson, ack }).then(
            () => acked.add(batch),
            () => undefined,
          );
        }
      });
      await sleep(1_500);
      const startMs = performance.now();
      const ended = new Promise((resolve) => server.child.once("exit", resolve));
      server.child.kill("SIGTERM");
      await ended;
      tookMs.push(performance.now() - startMs);
      isEnding = true;
      server.client.close();
      await Promise.all(sending);
    }
    const again = await startOwnServer({ dataDir });
    await checkStored(again, `ended_${ack}`, acked);
    await again.stop();
    say(
      `F4 ended five times under load, ack=${ack}: exit after at most ${Math.max(...tookMs).toFixed(0)} ms; ${acked.size} batches acknowledged, lost 0, in part 0, twice 0`,
    );
  }
  await rm(dataDir, { recursive: true });
}

/** A server that starts is away for some seconds; what it refuses is no fault of that kind. */
async function untilAnswered(send: () => Promise<IngestReply>): Promise<IngestReply> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof HadalError) || !error.retry) throw error;
      await sleep(50);
    }
  }
}

const sendCount = 12;
const retryCount = 5;

/** Each send's answer is lost five times after the commit; gateway or leaves are killed in between. */
export async function lostAnswersOfServer(say: Say): Promise<void> {
  const server = await startOwnServer();
  const proxy = await ResettingProxy.listen(host);
  proxy.targetPort = server.port;
  const kill = async (isGateway: boolean): Promise<void> => {
    for (const [id, pid] of await server.pids())
      if ((id === "gateway") === isGateway) process.kill(pid, "SIGKILL");
  };
  const acked = new Set<number>();
  for (let batch = 0; batch < sendCount; batch++) {
    const options = { ...ndjson, idempotencyKey: `send-${batch}` };
    const send = (): Promise<IngestReply> =>
      createClient({ url: `http://${host}:${proxy.port}` }).ingestBody(
        "doubled",
        rowsOf(batch),
        options,
      );
    proxy.resetsAnswers = true;
    for (let attempt = 0; attempt < retryCount; attempt++) {
      if (attempt === 2 && batch % 3 > 0) await kill(batch % 3 === 1).catch(() => undefined);
      if ((await send().catch(() => null)) !== null)
        throw new Error("an answer came although it was to be lost");
    }
    proxy.resetsAnswers = false;
    const first = await untilAnswered(send);
    const again = await send();
    if (JSON.stringify(again) !== JSON.stringify(first) || again.accepted !== batchRows)
      throw new Error(`other answers: ${JSON.stringify(first)}, ${JSON.stringify(again)}`);
    acked.add(batch);
  }
  await checkStored(server, "doubled", acked);
  say(
    `F22 ${sendCount} sends to one machine, the connection reset ${proxy.resetCount} times after the commit, the gateway or both leaves killed in between for two of three: twice 0, lost 0, the same reply`,
  );
  proxy.close();
  await server.stop();
}
