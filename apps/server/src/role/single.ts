import { lockFolder } from "../base/file/folderLock.js";
import type { ServerSettings } from "../base/limit/settings.js";
import type { RunningServer } from "./runningServer.js";
import { GatewaySupervisor } from "./supervise/gatewaySupervisor.js";
import { leafFlags } from "./supervise/leafFlags.js";
import { LeafSupervisor } from "./supervise/leafSupervisor.js";

/** A whole cluster on this machine: this process starts its leaves and its gateway, and starts again what ends. It loads nothing else. */
export async function startSingle(settings: ServerSettings): Promise<RunningServer> {
  const warn = (text: string): void => console.error(text);
  const lock = await lockFolder(settings.dataDir);
  const leaves = new LeafSupervisor({
    host: "127.0.0.1",
    dataDir: settings.dataDir,
    leafCount: settings.leaves,
    leafFlags: leafFlags(settings),
    warn,
    onAddress: (leaf) => gateway.sendAddress(leaf),
  });
  const gateway = new GatewaySupervisor({
    ...{ settings, key: leaves.key, warn },
    leaves: () => leaves.addresses,
  });
  // Leaves go last: they write what the gateway still sends.
  const close = async (): Promise<void> => {
    await gateway.stop();
    await leaves.stop();
    await lock.release();
  };
  try {
    return { url: await gateway.start(leaves.start()), close };
  } catch (error) {
    await close();
    throw error;
  }
}
