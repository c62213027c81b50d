import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { loadJsonModule } from "@hadal/kernel-wasm";
import { lockFolder } from "../base/file/folderLock.js";
import { orphanMsMax } from "../base/process/parentGone.js";
import { createLeafConnection } from "../cluster/connectToLeaf.js";
import { DemoProcess, demoTable } from "./demoProcess.js";
import { DemoAccess } from "./gateway/demoAccess.js";
import { startGateway } from "./gateway/gateway.js";
import { hearAll } from "./gateway/hearAll.js";
import type { GatewayStart, LeafAddress } from "./processMessages.js";
import type { RunningNode } from "./runningServer.js";

export interface LocalGateway extends RunningNode {
  /** Connects at once to a leaf that has a new address. */
  reconnect(leafId: string): void;
}

/** Where leaves listen now, by their ids; changed by the caller. */
type LeafAddresses = ReadonlyMap<string, LeafAddress["address"]>;

/**
 * Leaves outlive a gateway. The same id makes a leaf drop the connection of the last gateway; otherwise it could store
 * an old batch after it had answered the new gateway that it does not have it.
 */
const clientId = "gateway";

/** As Scuba keeps rows; the demo would fill the memory by itself. */
const demoRetention = { table: demoTable, days: 30 };

/** The gateway of this machine, with its connections to the leaves, and the demo if it is wanted. */
export async function startLocalGateway(
  { settings, key }: Pick<GatewayStart, "settings" | "key">,
  addresses: LeafAddresses,
): Promise<LocalGateway> {
  const warn = (text: string): void => console.error(text);
  const stops: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  };
  try {
    const { host, port, dataDir, allowedHosts, database, documents } = settings;
    const lock = await lockFolder(join(dataDir, "ledger"), orphanMsMax);
    stops.push(() => lock.release());
    const leafIds = [...addresses.keys()];
    const connections = leafIds.map((id) =>
      createLeafConnection({ id, key, clientId, address: () => addresses.get(id) ?? null }),
    );
    stops.push(async () => {
      for (const connection of connections) connection.close();
    });
    const demo = settings.demo ? new DemoProcess(warn) : null;
    const demoAccess = new DemoAccess(demoTable);
    const gateway = await startGateway({
      demo: () => demo?.info ?? null,
      jsonModule: await loadJsonModule(new URL("./json.wasm", import.meta.url)),
      ...{ host, port, dataDir, database, documents, allowedHosts, warn },
      leaves: () => connections,
      access: settings,
      ...(demo !== null && { demoAccess, demoRetention }),
      functionLimits: settings,
      sandbox: settings.sandbox,
      admissionLimits: settings,
      ingestLimits: settings,
      clientLimits: settings,
      userLimits: settings,
      retentionDays: settings.retentionDays,
      kafka: settings.kafka,
      alerts: settings,
      leavesLeftOut: await leavesLeftOut(dataDir, leafIds),
    });
    stops.push(() => gateway.close());
    await hearAll(connections);
    // The page shows the demo's history as it arrives.
    const { url } = gateway;
    if (demo !== null) stops.push(demo.start({ url, token: demoAccess.token }));
    return {
      ...{ url, close },
      flush: () => gateway.flush(),
      reconnect: (leafId) => connections.find(({ id }) => id === leafId)?.reconnect(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Leaves of earlier starts, with more of them, that still have rows on the disk. */
async function leavesLeftOut(dataDir: string, leafIds: readonly string[]): Promise<string[]> {
  const ids = (await readdir(dataDir)).filter((name) => /^leaf-\d+$/.test(name));
  const left: string[] = [];
  for (const id of ids.filter((one) => !leafIds.includes(one))) {
    const tables = await readdir(join(dataDir, id, "tables")).catch(() => []);
    if (tables.length > 0) left.push(id);
  }
  return left;
}
