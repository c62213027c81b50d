import type { ServerSettings } from "../base/settings.js";
import { startLeaf } from "./leaf.js";
import type { RunningServer } from "./runningServer.js";
import { startSingle } from "./single.js";

/** Starts the role that was asked for. Rejects with one clear line when it cannot. */
export function startServer(settings: ServerSettings): Promise<RunningServer> {
  return settings.role === "leaf" ? startLeaf(settings) : startSingle(settings);
}
