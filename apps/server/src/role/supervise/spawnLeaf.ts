import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { leafEnvironment } from "../processMessages.js";

export interface SpawnedLeaf {
  readonly id: string;
  readonly host: string;
  readonly folder: string;
  readonly key: string;
  /** Its source on another machine encrypts. */
  readonly tls: boolean;
  /** Processes that share the memory of this machine. */
  readonly leafCount: number;
  readonly leafFlags: readonly string[];
  /** See {@link leafEnvironment}; absent: the leaf has its rows. */
  readonly mode?: "copy" | "restore";
  /** Names the process among the copies of the leaf. */
  readonly holder?: string;
}

/** Starts the process of a leaf, or of the copy of one. */
export function spawnLeaf(leaf: SpawnedLeaf): ChildProcess {
  const program = fileURLToPath(new URL("./hadal.js", import.meta.url));
  const place = ["--host", leaf.host, "--port", "0", "--data-dir", leaf.folder];
  return fork(program, ["serve", "--role", "leaf", ...place, ...leaf.leafFlags], {
    env: {
      ...process.env,
      HADAL_CONFIG: "",
      [leafEnvironment.id]: leaf.id,
      [leafEnvironment.count]: String(leaf.leafCount),
      [leafEnvironment.key]: leaf.key,
      [leafEnvironment.tls]: leaf.tls ? "1" : "",
      [leafEnvironment.mode]: leaf.mode ?? "",
      [leafEnvironment.holder]: leaf.holder ?? "",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // A Ctrl-C in the terminal reaches the whole group: leaves end on the supervisor's order, after the gateway.
    detached: true,
  });
}
