import { makeHeapRoomy } from "../base/roomyHeap.js";
import type { ServerSettings } from "../base/settings.js";
import type { RunningServer } from "./runningServer.js";

/** Starts the role that was asked for, and loads no other: a leaf serves no HTTP. Rejects with one clear line when it cannot. */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  makeHeapRoomy();
  if (settings.role === "leaf") return (await import("./leaf.js")).startLeaf(settings);
  return (await import("./single.js")).startSingle(settings);
}
