import type { ApiDeps } from "../../../src/api/context/deps.js";
import { settingsDefault } from "../../../src/base/limit/settings.js";
import type { LeafFolder, MemberCopy } from "../../../src/registry/member/members.js";
import { startAggregator } from "../../../src/role/cluster/aggregator.js";
import { startClusterGateway } from "../../../src/role/cluster/clusterGateway.js";
import { readDatabase } from "../standIns/databases.js";
import type { Machine } from "../world/simProcess.js";
import type { World } from "../world/world.js";
import { clusterKey, leafSettings, type SimCluster } from "./simCluster.js";
import { Unit } from "./unit.js";

interface MemberRow {
  readonly name: string;
  readonly leaf_ids: string;
  readonly leaf_folders: string;
  readonly copies: string;
}

const registryUrl = "postgres://registry.simulated/hadal";

/** Machines that join over a shared registry, each with its leaves, and gateways on machines of their own. */
export function clusterOfMachines(world: World): SimCluster {
  const { random } = world;
  const machineCount = random.int(2, 5);
  const leaves = random.int(1, 2);
  const shared = {
    ...settingsDefault,
    ...leafSettings(world),
    ...{ join: registryUrl, demo: false, leaves },
    fanOut: random.int(2, 3),
    copies: random.pick([1, 2]),
  };
  const env = { HADAL_CLUSTER_KEY: clusterKey };
  const placeOf = (name: string, number: number): Machine => {
    const folder = `/${name}`;
    world.disk.makeFolder(folder, "durable");
    return { name, host: `10.0.1.${number}`, folder, wallAheadMs: 0 };
  };
  const unitOf = (name: string, number: number, role: "aggregator" | "gateway"): Unit => {
    const machine = placeOf(name, number);
    const port = role === "gateway" ? 7400 : 7401;
    const place = { host: machine.host, port, dataDir: `${machine.folder}/data`, machine: name };
    const start = role === "gateway" ? startClusterGateway : startAggregator;
    const main = async (): Promise<void> => {
      await start({ ...shared, ...place, role });
    };
    return new Unit(name, machine, world, { main, env });
  };
  const machines = Array.from({ length: machineCount }, (_, i) =>
    unitOf(`m${i + 1}`, i + 2, "aggregator"),
  );
  const fronts = Array.from({ length: random.pick([1, 1, 2]) }, (_, i) =>
    unitOf(`front${i + 1}`, i + 101, "gateway"),
  );
  return {
    units: [...machines, ...fronts],
    copies: shared.copies,
    gatewayNames: fronts.map(({ name }) => name),
    copied: () => (shared.copies > 1 ? machines.filter(({ name }) => isCopied(name)) : []),
    gateways: () =>
      fronts.flatMap(({ process }) =>
        process?.isAlive === true && process.exposed !== null
          ? [{ process, deps: process.exposed as ApiDeps }]
          : [],
      ),
  };
}

/** Whether other machines say that they have all rows of its leaves. */
function isCopied(machine: string): boolean {
  const query = "select name, leaf_ids, leaf_folders, copies from member";
  const members = (readDatabase(registryUrl, query) as MemberRow[]).map((row) => ({
    name: row.name,
    leafIds: JSON.parse(row.leaf_ids) as readonly string[],
    folders: JSON.parse(row.leaf_folders) as readonly LeafFolder[],
    copies: JSON.parse(row.copies) as readonly MemberCopy[],
  }));
  const own = members.find(({ name }) => name === machine);
  const copies = members.filter((one) => one !== own).flatMap((one) => one.copies);
  const isWhole = (leafId: string): boolean => {
    const folderId = own?.folders.find((folder) => folder.leafId === leafId)?.folderId;
    return copies.some(
      (copy) => copy.leafId === leafId && copy.folderId === folderId && copy.isWhole,
    );
  };
  return own !== undefined && own.leafIds.length > 0 && own.leafIds.every(isWhole);
}
