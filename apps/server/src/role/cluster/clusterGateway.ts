import { join } from "node:path";
import { loadJsonModule } from "@hadal/kernel-wasm";
import { HadalError, type RegistryRequest, type SealedRegistry } from "@hadal/sdk";
import { lockFolder } from "../../base/file/folderLock.js";
import type { ServerSettings } from "../../base/limit/settings.js";
import { endOnUnexpectedError } from "../../base/process/endOnUnexpectedError.js";
import { sealRegistry } from "../../cluster/key/registryOffer.js";
import { startGateway } from "../gateway/gateway.js";
import { hearAll } from "../gateway/hearAll.js";
import type { RunningServer } from "../runningServer.js";
import { readClusterKey } from "./clusterKey.js";
import { ClusterLeaves } from "./clusterLeaves.js";
import { staysOnCopies } from "./copyPlacement.js";
import { findRegistry } from "./findRegistry.js";
import { Membership } from "./membership.js";
import { printMachineMetrics, printPartitionMetrics } from "./partitionMetrics.js";

/** A gateway over the machines of a cluster: one of any number. */
export async function startClusterGateway(given: ServerSettings): Promise<RunningServer> {
  const { dataDir, machine, host, port, allowedHosts, documents } = given;
  const warn = (text: string): void => console.error(`${machine}-gateway: ${text}`);
  const key = await readClusterKey(given);
  const database = await findRegistry(given.join, key, warn);
  const settings = { ...given, join: database };
  const stops: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  };
  try {
    const lock = await lockFolder(join(dataDir, "ledger"));
    stops.push(() => lock.release());
    let leaves: ClusterLeaves | null = null;
    const membership = await Membership.open({
      ...{ settings, key, warn },
      onMembers: (members) => leaves?.use(members),
      onReplaced: () => void close().finally(() => process.exit(1)),
    });
    stops.push(() => membership.close());
    const { fanOut, tls } = membership.cluster;
    const cluster = new ClusterLeaves({
      ...{ key, tls, fanOut, clientId: `gateway-${machine}` },
      hedgePercent: settings.hedgePercent,
    });
    leaves = cluster;
    stops.push(() => cluster.close());
    await membership.refresh();
    await hearAll(cluster.all);
    const gateway = await startGateway({
      ...{ host, port, dataDir, documents, allowedHosts, warn, access: settings },
      jsonModule: await loadJsonModule(new URL("./json.wasm", import.meta.url)),
      database,
      offerRegistry: (asked) => offerRegistry(key, asked, database),
      sharing: { id: membership.instance, name: `${machine}-gateway` },
      leaves: () => cluster.all,
      nodes: () => cluster.nextNodes(),
      described: () => cluster.described,
      metrics: () => printPartitionMetrics(cluster) + printMachineMetrics(cluster.machineWindows),
      windowsOf: (machine) => cluster.machineWindows.get(machine),
      treeSize: () => cluster.treeSize,
      cluster: membership,
      isCopied: (leafId) => staysOnCopies(membership.list(), leafId),
      functionLimits: settings,
      sandbox: settings.sandbox,
      admissionLimits: settings,
      ingestLimits: settings,
      clientLimits: settings,
      userLimits: settings,
      retentionDays: settings.retentionDays,
      kafka: settings.kafka,
      alerts: settings,
    });
    stops.push(() => gateway.close());
    endOnUnexpectedError("gateway", () => gateway.flush());
    const address = settings.advertise ?? new URL(gateway.url).host;
    await membership.announce({ role: "gateway", address, leafIds: [] });
    return { url: gateway.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function offerRegistry(
  key: string,
  asked: RegistryRequest,
  databaseUrl: string | null,
): SealedRegistry {
  const sealed = databaseUrl === null ? null : sealRegistry(key, asked, databaseUrl);
  if (sealed !== null) return { sealed };
  throw new HadalError("bad-request", {
    detail: "The key is not that of the cluster; all members have the same one.",
  });
}
