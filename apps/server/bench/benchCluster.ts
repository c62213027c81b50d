import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type HadalClient } from "@hadal/sdk";
import { WebSocket } from "ws";
import type { RowBatch } from "../src/base/rowBatch.js";
import { encodeRowBatch } from "../src/base/rowBatchCodec.js";
import { createLeafConnection, type LeafConnection } from "../src/cluster/leafConnection.js";
import { BatchPlacer } from "../src/ingest/batchPlacer.js";
import { countMinutes } from "../src/ingest/minuteCounts.js";
import { RowCountLedger } from "../src/ingest/rowCountLedger.js";
import { startGateway } from "../src/role/gateway.js";
import { LeafSupervisor } from "../src/role/leafSupervisor.js";

const host = "127.0.0.1";
const placeMsMax = 120_000;

/** Real leaves, first filled with batches over their connections, then asked through a real gateway. */
export interface BenchCluster {
  /** Places a batch as the ingest does, counted in the ledger. */
  append(table: string, batch: RowBatch): Promise<void>;
  /** Ends the filling: starts the gateway over what the leaves hold. */
  serve(): Promise<HadalClient>;
  stop(): Promise<void>;
}

export async function startBenchCluster(leafCount: number): Promise<BenchCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-bench-"));
  const warn = (text: string) => console.error(text);
  const leaves: LeafConnection[] = [];
  const onAddress = (leafId: string) => leaves.find(({ id }) => id === leafId)?.reconnect();
  const supervisor = new LeafSupervisor({ host, dataDir, leafCount, warn, onAddress });
  await supervisor.start();
  for (const id of supervisor.leafIds) {
    const address = () => supervisor.addressOf(id);
    leaves.push(createLeafConnection({ id, address, key: supervisor.key }));
  }
  const ledger = await RowCountLedger.open(join(dataDir, "ledger"), warn);
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const random = Math.random;
  const placer = new BatchPlacer({ leaves: () => leaves, ledger, random, nowMs: Date.now, sleep });
  const stops: (() => unknown)[] = [
    () => rm(dataDir, { recursive: true, force: true }),
    () => supervisor.stop(),
    () => {
      for (const leaf of leaves) leaf.close();
    },
  ];
  return {
    append: (table, batch) => placer.place(outgoing(table, batch), Date.now() + placeMsMax),
    serve: async () => {
      await ledger.close();
      const gateway = await startGateway({ host, port: 0, dataDir, leaves, warn });
      stops.push(() => gateway.close());
      const client = createClient({ url: gateway.url, webSocket: WebSocket as never });
      stops.push(() => client.close());
      return client;
    },
    stop: async () => {
      for (const stop of stops.reverse()) await stop();
    },
  };
}

function outgoing(table: string, batch: RowBatch): Parameters<BatchPlacer["place"]>[0] {
  const bytes = encodeRowBatch(batch);
  const contentHash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  const rows = countMinutes(batch.times);
  const batchId = randomUUID();
  return {
    intent: { table, batchId, contentHash, key: null, requestHash: "", rows },
    bytes,
    durable: true,
  };
}
