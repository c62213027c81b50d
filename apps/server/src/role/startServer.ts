import type { ServerSettings } from "../base/limit/settings.js";
import { tuneEngine } from "../base/process/tuneEngine.js";
import type { RunningServer } from "./runningServer.js";

/** Starts the given role and loads no other: a leaf needs no HTTP server. Rejects with a one-line message. */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  if (settings.role === "single") return (await import("./single.js")).startSingle(settings);
  tuneEngine();
  switch (settings.role) {
    case "aggregator":
      return (await import("./cluster/aggregator.js")).startAggregator(settings);
    case "gateway":
      return (await import("./cluster/clusterGateway.js")).startClusterGateway(settings);
    case "leaf":
      return (await import("./leaf.js")).startLeaf(settings);
  }
}
