import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { loadJsonModule } from "@hadal/kernel-wasm";
import { lockFolder } from "../base/file/folderLock.js";
import type { ServerSettings } from "../base/limit/settings.js";
import { createLeafConnection, type LeafConnection } from "../cluster/leafConnection.js";
import { DemoProcess } from "./demoProcess.js";
import { startGateway } from "./gateway.js";
import { LeafSupervisor } from "./leafSupervisor.js";
import type { RunningServer } from "./runningServer.js";

/** A whole cluster on this machine: leaf processes, the gateway in this one, and the demo if it is wanted. */
export async function startSingle(settings: ServerSettings): Promise<RunningServer> {
  const warn = (text: string): void => console.error(text);
  const lock = await lockFolder(settings.dataDir);
  const stops: (() => Promise<unknown>)[] = [() => lock.release()];
  const close = async (): Promise<void> => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  };
  try {
    const connections: LeafConnection[] = [];
    const supervisor = new LeafSupervisor({
      host: "127.0.0.1",
      dataDir: settings.dataDir,
      leafCount: settings.leaves,
      leafFlags: [
        ...["--scan-threads", String(settings.scanThreads)],
        ...["--leaf-memory", String(settings.leafMemory)],
        ...["--seal-after", String(settings.sealAfter)],
        ...["--raw-texts", String(settings.rawTexts)],
        ...["--sandbox", settings.sandbox],
        ...["--function-cpu-ms", String(settings.functionCpuMs)],
        ...["--function-memory-bytes", String(settings.functionMemoryBytes)],
        ...["--function-output-bytes", String(settings.functionOutputBytes)],
        ...["--function-stack-bytes", String(settings.functionStackBytes)],
      ],
      warn,
      onAddress: (leafId) => connections.find(({ id }) => id === leafId)?.reconnect(),
    });
    stops.push(() => supervisor.stop());
    await supervisor.start();
    for (const id of supervisor.leafIds) {
      const address = (): string | null => supervisor.addressOf(id);
      connections.push(createLeafConnection({ id, address, key: supervisor.key }));
    }
    stops.push(async () => {
      for (const connection of connections) connection.close();
    });
    const { host, port, dataDir, allowedHosts } = settings;
    const demo = settings.demo ? new DemoProcess(warn) : null;
    const gateway = await startGateway({
      demo: () => demo?.info ?? null,
      jsonModule: await loadJsonModule(new URL("./json.wasm", import.meta.url)),
      ...{ host, port, dataDir, allowedHosts, leaves: connections, warn },
      functionLimits: settings,
      sandbox: settings.sandbox,
      admissionLimits: settings,
      ingestLimits: settings,
      clientLimits: settings,
      leavesLeftOut: await leavesLeftOut(dataDir, supervisor.leafIds),
    });
    stops.push(() => gateway.close());
    await hearAll(connections);
    // The page shows the demo's history as it arrives.
    if (demo !== null) stops.push(demo.start(gateway.url));
    return { url: gateway.url, close };
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

const hearMsMax = 5_000;
const hearEveryMs = 5;

/** Waits until every leaf has said what it holds: the first rows and questions find all of them. One that cannot be reached delays the start only briefly. */
async function hearAll(connections: readonly LeafConnection[]): Promise<void> {
  const deadline = performance.now() + hearMsMax;
  while (connections.some(({ status }) => status === null) && performance.now() < deadline) {
    await pause(hearEveryMs);
  }
}
