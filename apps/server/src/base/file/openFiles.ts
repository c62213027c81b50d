import { readFile } from "node:fs/promises";

/** Share of the open files that is reserved for logs, segments and documents, not connections. */
const keptShare = 0.25;
const keptMin = 64;

/** How many files this process may have open (`ulimit -n`); null if unknown. */
export async function openFilesMax(): Promise<number | null> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const soft = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  return Number.isInteger(soft) ? soft : null;
}

/** The allowed connections, reduced to what the open files permit. One client gets at most half of them. */
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
