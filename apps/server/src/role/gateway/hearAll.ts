import { setTimeout as pause } from "node:timers/promises";
import type { LeafConnection } from "../../cluster/leafConnection.js";

const hearMsMax = 5_000;
const hearEveryMs = 5;

/** Waits until every leaf has said what it holds: the first rows and questions find all of them. One that cannot be reached delays the start only briefly. */
export async function hearAll(connections: readonly LeafConnection[]): Promise<void> {
  const deadline = performance.now() + hearMsMax;
  while (connections.some(({ status }) => status === null) && performance.now() < deadline) {
    await pause(hearEveryMs);
  }
}
