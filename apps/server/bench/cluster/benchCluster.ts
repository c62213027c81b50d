import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { loadJsonModule } from "@hadal/kernel-wasm";
import { createClient, type HadalClient } from "@hadal/sdk";
import { WebSocket } from "ws";
import { admissionLimitsDefault } from "../../src/base/limit/admissionLimits.js";
import { clientLimitsDefault } from "../../src/base/limit/clientLimits.js";
import { functionLimitsDefault } from "../../src/base/limit/functionLimits.js";
import { ingestLimitsDefault } from "../../src/base/limit/ingestLimits.js";
import { userLimitsDefault } from "../../src/base/limit/userLimits.js";
import { tuneEngine } from "../../src/base/process/tuneEngine.js";
import type { RowBatch } from "../../src/base/row/rowBatch.js";
import { encodeRowBatch } from "../../src/base/row/rowBatchCodec.js";
import { createLeafConnection } from "../../src/cluster/connectToLeaf.js";
import type { LeafConnection } from "../../src/cluster/leafConnection.js";
import { countMinutes } from "../../src/ingest/ledger/minuteCounts.js";
import { RowCountLedger } from "../../src/ingest/ledger/rowCountLedger.js";
import { BatchPlacer } from "../../src/ingest/place/batchPlacer.js";
import { startGateway } from "../../src/role/gateway/gateway.js";
import type { LeafAddress } from "../../src/role/processMessages.js";
import { LeafSupervisor } from "../../src/role/supervise/leafSupervisor.js";

const host = "127.0.0.1";
const placeMsMax = 120_000;

/** Real leaves: filled with batches over their connections, asked through a real gateway; the one or the other at a time. */
export interface BenchCluster {
  /** Places a batch as the ingest does, counted in the ledger. */
  append(table: string, batch: RowBatch): Promise<void>;
  /** What the query that was answered last took on its path: without client, live socket, and frames between nodes. */
  readonly pathMs: number;
  /** Starts a gateway over what the leaves hold, for as long as `use` takes. */
  serve<Answer>(use: (client: HadalClient, url: string) => Promise<Answer>): Promise<Answer>;
  stop(): Promise<void>;
}

export async function startBenchCluster(
  leafCount: number,
  dataDir: string,
  leafFlags: readonly string[] = [],
): Promise<BenchCluster> {
  // As in the process that a gateway has to itself.
  tuneEngine();
  const warn = (text: string) => console.error(text);
  const leaves: LeafConnection[] = [];
  const onAddress = (leaf: LeafAddress) => leaves.find(({ id }) => id === leaf.id)?.reconnect();
  const supervisor = new LeafSupervisor({
    ...{ host, dataDir, leafCount, leafFlags },
    ...{ warn, onAddress },
  });
  await supervisor.start();
  const addressOf = (leafId: string) => supervisor.addresses.find(({ id }) => id === leafId);
  for (const { id } of supervisor.addresses) {
    const address = () => addressOf(id)?.address ?? null;
    leaves.push(createLeafConnection({ id, address, key: supervisor.key }));
  }
  let filling: Promise<Filling> | null = null;
  const fill = async () => {
    filling ??= startFilling(leaves, join(dataDir, "ledger"), warn);
    return (await filling).placer;
  };
  const endFilling = async () => {
    const ended = filling;
    filling = null;
    await (await ended)?.ledger.close();
  };
  let pathMs = Number.NaN;
  return {
    get pathMs() {
      return pathMs;
    },
    append: async (table, batch) => {
      const placer = await fill();
      await placer.place(outgoing(table, batch), Date.now() + placeMsMax);
    },
    serve: async (use) => {
      await endFilling();
      const gateway = await startGateway({
        jsonModule: await loadJsonModule(new URL("./json.wasm", import.meta.url)),
        ...{ host, port: 0, dataDir, database: null, leaves: () => leaves, warn },
        admissionLimits: { ...admissionLimitsDefault, cacheBytes: 0 },
        ingestLimits: ingestLimitsDefault,
        clientLimits: clientLimitsDefault,
        userLimits: userLimitsDefault,
        functionLimits: functionLimitsDefault,
        sandbox: "weak",
        onPathMs: (ms) => {
          pathMs = ms;
        },
      });
      const client = createClient({ url: gateway.url, webSocket: WebSocket as never });
      try {
        return await use(client, gateway.url);
      } finally {
        client.close();
        await gateway.close();
      }
    },
    stop: async () => {
      await endFilling();
      for (const leaf of leaves) leaf.close();
      await supervisor.stop();
    },
  };
}

interface Filling {
  readonly ledger: RowCountLedger;
  readonly placer: BatchPlacer;
}

async function startFilling(
  leaves: readonly LeafConnection[],
  folder: string,
  warn: (text: string) => void,
): Promise<Filling> {
  const ledger = await RowCountLedger.open(folder, warn);
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const random = Math.random;
  const placer = new BatchPlacer({ leaves: () => leaves, ledger, random, nowMs: Date.now, sleep });
  return { ledger, placer };
}

function outgoing(table: string, batch: RowBatch): Parameters<BatchPlacer["place"]>[0] {
  const bytes = encodeRowBatch(batch);
  const contentHash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  const rows = countMinutes(batch.times);
  const batchId = randomUUID();
  return {
    intent: { table, batchId, key: null, requestHash: "", rows },
    sender: { client: "", order: 0 },
    size: bytes.length,
    encode: async () => ({ bytes, contentHash }),
    durable: true,
    epoch: null,
    countedOn: null,
    leafId: null,
  };
}
