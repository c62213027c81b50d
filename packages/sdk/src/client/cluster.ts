import type { CacheInfo } from "../model/cluster/cacheInfo.js";
import type { ClusterInfo, MachineInfo } from "../model/cluster/cluster.js";
import { routes } from "../wire/routes.js";
import type { HadalClient } from "./hadalClient.js";
import type { Http } from "./http.js";
import { jsonRequest, printParameters } from "./requests.js";

type Cluster = Pick<HadalClient, "cache" | "clearCache" | "cluster" | "drain">;

/** The machines behind a server. */
export function createCluster(http: Http): Cluster {
  return {
    async cache() {
      return (await http.requestJson(routes.cache())) as CacheInfo;
    },
    async clearCache(table) {
      const parameters = table === undefined ? "" : printParameters({ table });
      await http.request(routes.cache() + parameters, { method: "DELETE" });
    },
    async cluster() {
      return (await http.requestJson(routes.cluster())) as ClusterInfo;
    },
    async drain(machine, options = {}) {
      const request = jsonRequest("POST", options);
      return (await http.requestJson(routes.drain(machine), request)) as MachineInfo;
    },
  };
}
