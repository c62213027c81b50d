import { lockFolder } from "../base/file/folderLock.js";
import type { ServerSettings } from "../base/limit/settings.js";
import { sendToParent } from "../base/process/sendToParent.js";
import { createLeafServer } from "../cluster/leafServer.js";
import { type LeafMessage, leafEnvironment } from "./leafMessages.js";
import { LeafNode } from "./leafNode.js";
import type { RunningServer } from "./runningServer.js";

/** A leaf whose supervisor was killed writes what it holds and ends; its successor waits that long for it. */
const orphanMs = 12_000;

/** Runs this process as one leaf. Started by a supervisor, it reports its port there and ends when the supervisor is gone. */
export async function startLeaf(settings: ServerSettings): Promise<RunningServer> {
  const leafId = process.env[leafEnvironment.id] ?? "leaf-1";
  const key = process.env[leafEnvironment.key];
  if (key === undefined || key === "") {
    throw new Error(`a leaf needs the cluster's key in ${leafEnvironment.key}`);
  }
  const warn = (text: string): void => console.error(`${leafId}: ${text}`);
  const lock = await lockFolder(settings.dataDir, orphanMs);
  const node = await LeafNode.start({
    leafId,
    leafCount: Number(process.env[leafEnvironment.count] ?? 1),
    scanThreads: settings.scanThreads,
    sealAfterMs: settings.sealAfter * 1_000,
    rawTextsMs: settings.rawTexts * 1_000,
    memoryMib: settings.leafMemory,
    folder: settings.dataDir,
    functionLimits: settings,
    sandbox: settings.sandbox,
    warn,
  });
  const server = await createLeafServer({
    host: settings.host,
    port: settings.port,
    key,
    handlers: node.handlers,
    onError: (error, about) => {
      const text = error instanceof Error && about !== undefined ? error.stack : String(error);
      warn(about === undefined ? `${text}` : `${about}: ${text}`);
    },
  });
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await server.close();
      await node.close();
      await lock.release();
    })();
    return closing;
  };
  if (process.send !== undefined) {
    process.once("disconnect", () => void close().finally(() => process.exit(0)));
    sendToParent({ kind: "leaf-ready", port: server.port } satisfies LeafMessage);
  }
  return { url: `ws://${settings.host}:${server.port}`, close };
}
