import type { CopySource } from "../base/copy/copySource.js";
import { lockFolder } from "../base/file/folderLock.js";
import type { ServerSettings } from "../base/limit/settings.js";
import { endOnUnexpectedError } from "../base/process/endOnUnexpectedError.js";
import { orphanMsMax, parentGone } from "../base/process/parentGone.js";
import { sendToParent } from "../base/process/sendToParent.js";
import { createLeafConnection } from "../cluster/connectToLeaf.js";
import { copySourceOf } from "../cluster/copySourceOf.js";
import { createLeafServer } from "../cluster/leafServer.js";
import { folderHandlers } from "./folderHandlers.js";
import { LeafNode } from "./leafNode.js";
import { type LeafReady, leafEnvironment, type SourceAddress } from "./processMessages.js";
import type { RunningServer } from "./runningServer.js";

/** Runs this process as one leaf. Started by a supervisor, it reports its port there and ends when the supervisor is gone. */
export async function startLeaf(settings: ServerSettings): Promise<RunningServer> {
  const leafId = process.env[leafEnvironment.id] ?? "leaf-1";
  const key = process.env[leafEnvironment.key];
  if (key === undefined || key === "") {
    throw new Error(`a leaf needs the cluster's key in ${leafEnvironment.key}`);
  }
  const warn = (text: string): void => console.error(`${leafId}: ${text}`);
  let close = async (): Promise<void> => undefined;
  // From the first moment: the start of a leaf with many rows takes a while.
  void parentGone().then(() => close().finally(() => process.exit(0)));
  const lock = await lockFolder(settings.dataDir, orphanMsMax);
  const node = await LeafNode.start({
    leafId,
    leafCount: Number(process.env[leafEnvironment.count] ?? 1),
    scanThreads: settings.scanThreads,
    sealAfterMs: settings.sealAfter * 1_000,
    rawTextsMs: settings.rawTexts * 1_000,
    memoryMib: settings.leafMemory,
    warmRestart: settings.warmRestart,
    budgetShare: settings.memoryBudget / 100,
    folder: settings.dataDir,
    holder: process.env[leafEnvironment.holder] ?? "",
    functionLimits: settings,
    sandbox: settings.sandbox,
    warn,
  });
  const source = openSource(leafId, key);
  if (process.env[leafEnvironment.mode] === "copy") node.follow(source.copies);
  else {
    const hasCopy = process.env[leafEnvironment.mode] === "restore";
    const isToRestore = node.isBegun || (hasCopy && node.isEmpty);
    if (isToRestore) await restore(node, source, warn);
    await node.ownFolder(isToRestore ? source.removalsMin() : 0);
    source.close();
  }
  const server = await createLeafServer({
    host: settings.host,
    port: settings.port,
    key,
    handlers: folderHandlers(leafId, node.handlers, lock.isFolderThere),
    onError: (error, about) => {
      const text = error instanceof Error && about !== undefined ? error.stack : String(error);
      warn(about === undefined ? `${text}` : `${about}: ${text}`);
    },
  });
  endOnUnexpectedError(leafId, () => node.flush());
  let closing: Promise<void> | null = null;
  close = (): Promise<void> => {
    closing ??= (async () => {
      await server.close();
      source.close();
      await node.close();
      await lock.release();
    })();
    return closing;
  };
  sendToParent({ kind: "leaf-ready", port: server.port } satisfies LeafReady);
  return { url: `ws://${settings.host}:${server.port}`, close };
}

async function restore(
  node: LeafNode,
  { copies, hasAddress }: LeafSource,
  warn: (text: string) => void,
): Promise<void> {
  warn("its folder has no rows, and another machine has a copy of them: they are read from there");
  const waiting = setInterval(() => {
    if (!hasAddress()) warn(waitsForCopy);
  }, waitingNoteEveryMs);
  const startedMs = performance.now();
  await node.restore(copies).finally(() => clearInterval(waiting));
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  warn(`${node.status().rows} rows came from the copy in ${seconds} s`);
}

const waitingNoteEveryMs = 30_000;
const waitsForCopy =
  "it waits for its rows: machines that have copies are away, or their copies lack the newest removals. Start these machines, or this one with --accept-old-copies to go on with the rows that are left";

interface LeafSource {
  readonly copies: CopySource;
  readonly hasAddress: () => boolean;
  readonly removalsMin: () => number;
  readonly close: () => void;
}

/** Where a copy reads its rows: the supervisor says where the leaf is. */
function openSource(leafId: string, key: string): LeafSource {
  let address: string | null = null;
  let removalsMin = 0;
  const tls = (process.env[leafEnvironment.tls] ?? "") !== "";
  const connection = createLeafConnection({ id: leafId, key, tls, address: () => address });
  process.on("message", (message: SourceAddress) => {
    if (message.kind !== "source") return;
    ({ removalsMin = 0 } = message);
    if (message.address === address) return;
    ({ address } = message);
    connection.reconnect();
  });
  return {
    copies: copySourceOf(connection),
    hasAddress: () => address !== null,
    removalsMin: () => removalsMin,
    close: () => connection.close(),
  };
}
