import type { ServerSettings } from "../base/limit/settings.js";
import { tuneEngine } from "../base/process/tuneEngine.js";
import type { RunningServer } from "./runningServer.js";

/** Starts the role that was asked for, and loads no other: a leaf serves no HTTP. Rejects with one clear line when it cannot. */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  tuneEngine();
  if (settings.role === "leaf") return (await import("./leaf.js")).startLeaf(settings);
  return (await import("./single.js")).startSingle(settings);
}
