import type { ApiDeps } from "../../../src/api/context/deps.js";
import { settingsDefault } from "../../../src/base/limit/settings.js";
import { startLeaf } from "../../../src/role/leaf.js";
import { type LocalGateway, startLocalGateway } from "../../../src/role/localGateway.js";
import type { Machine, SimProcess } from "../world/simProcess.js";
import type { World } from "../world/world.js";
import { clusterKey, leafSettings, type SimCluster } from "./simCluster.js";
import { Unit } from "./unit.js";

/**
 * A gateway and its leaves as `single` runs them, except that each has a machine of its own: so any
 * of them can lose its power.
 */
export function oneMachineCluster(world: World): SimCluster {
  const leafCount = world.random.int(1, 4);
  const ofLeaves = leafSettings(world);
  const addresses = new Map<string, string | null>();
  let running: LocalGateway | null = null;
  const machineOf = (name: string, number: number): Machine => {
    const folder = `/${name}`;
    world.disk.makeFolder(folder, "durable");
    return { name, host: `10.0.0.${number}`, folder, wallAheadMs: 0 };
  };
  const leaves = Array.from({ length: leafCount }, (_, i) => {
    const id = `leaf-${i + 1}`;
    addresses.set(id, null);
    const machine = machineOf(id, i + 2);
    const env = { HADAL_LEAF_ID: id, HADAL_LEAF_COUNT: "1", HADAL_CLUSTER_KEY: clusterKey };
    const main = async (process: SimProcess): Promise<void> => {
      process.events.on("sent", ({ port }: { readonly port: number }) => {
        addresses.set(id, `${machine.host}:${port}`);
        const gateway = running;
        if (gateway !== null && front.isUp)
          world.after(0, () => gateway.reconnect(id), front.process!);
      });
      const place = { host: machine.host, port: 0, dataDir: `${machine.folder}/data` };
      await startLeaf({ ...settingsDefault, ...ofLeaves, ...place, role: "leaf" });
    };
    return new Unit(id, machine, world, { main, env });
  });
  const machine = machineOf("gateway", 1);
  const front = new Unit("gateway", machine, world, {
    env: {},
    main: async (process) => {
      running = null;
      const place = { host: machine.host, port: 7400, dataDir: `${machine.folder}/data` };
      const settings = { ...settingsDefault, ...place, demo: false };
      const started = await startLocalGateway({ settings, key: clusterKey }, addresses);
      if (process.isAlive) running = started;
    },
  });
  return {
    units: [front, ...leaves],
    copies: 1,
    gatewayNames: ["gateway"],
    copied: () => [],
    gateways: () => {
      const { process } = front;
      if (running === null || process?.isAlive !== true || process.exposed === null) return [];
      return [{ process, deps: process.exposed as ApiDeps }];
    },
  };
}
