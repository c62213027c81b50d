import { readFile } from "node:fs/promises";

/** Of files that a process may have open these are kept for what is no connection: logs, segments, documents. */
const keptShare = 0.25;
const keptMin = 64;

/** How many files this process may have open (`ulimit -n`); null where the system does not say. */
export async function openFilesMax(): Promise<number | null> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const soft = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  return Number.isInteger(soft) ? soft : null;
}

/** Of so many connections that are allowed how many there is room for beside other files; all clients but one keep half of that. */
export function connectionsWithin(
  wanted: { readonly connections: number; readonly connectionsPerClient: number },
  filesMax: number | null,
): { readonly connections: number; readonly connectionsPerClient: number } {
  if (filesMax === null) return wanted;
  const room = Math.max(8, Math.floor(filesMax - Math.max(keptMin, filesMax * keptShare)));
  const connections = Math.min(wanted.connections, room);
  const half = Math.ceil(connections / 2);
  const connectionsPerClient = Math.min(wanted.connectionsPerClient, half);
  return { connections, connectionsPerClient };
}
