import type { ApiDeps } from "../../../src/api/context/deps.js";
import { settingsDefault } from "../../../src/base/limit/settings.js";
import { startAggregator } from "../../../src/role/cluster/aggregator.js";
import { startClusterGateway } from "../../../src/role/cluster/clusterGateway.js";
import type { Machine } from "../world/simProcess.js";
import type { World } from "../world/world.js";
import { clusterKey, leafSettings, type SimCluster } from "./simCluster.js";
import { Unit } from "./unit.js";

const registryUrl = "postgres://registry.simulated/hadal";

/** Machines that join over a shared registry, each with its leaves, and a gateway on a machine of its own. */
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
  const front = unitOf("front", 1, "gateway");
  return {
    units: [...machines, front],
    copies: shared.copies,
    gateways: () => {
      const { process } = front;
      if (process?.isAlive !== true || process.exposed === null) return [];
      return [{ process, deps: process.exposed as ApiDeps }];
    },
  };
}
