import type { ClusterPlan } from "../model/cluster/clusterPlan.js";
import type { ShortLink } from "../model/link.js";
import { routes } from "../wire/routes.js";
import { createCluster } from "./cluster.js";
import { createAlerts } from "./document/alerts.js";
import { createAnnotations } from "./document/annotations.js";
import { createDocuments } from "./document/documents.js";
import { createEmbeds } from "./embeds.js";
import { createFunctions } from "./functions.js";
import type { ClientOptions, HadalClient } from "./hadalClient.js";
import { createPeople } from "./people.js";
import { createQueries } from "./queries.js";
import { jsonRequest, printParameters } from "./requests.js";
import { createRowSender } from "./sendRows.js";
import { linkToServer, readStatus } from "./serverLink.js";
import { createSources } from "./sources.js";
import { createTables } from "./tables.js";

/** A client of one Hadal server, for Node.js and browsers. Call `close` when done with it. */
export function createClient(options: ClientOptions = {}): HadalClient {
  const { http, socket, session } = linkToServer(options);
  return {
    ...createQueries(http, socket, session),
    ...createRowSender(http),
    ...createTables(http),
    ...createFunctions(http),
    documents: createDocuments(http),
    annotations: createAnnotations(http),
    alerts: createAlerts(http),
    embeds: createEmbeds(http),
    sources: createSources(http),
    ...createPeople(http),
    async saveLink(path) {
      return (await http.requestJson(routes.links(), jsonRequest("POST", { path }))) as ShortLink;
    },
    async link(id) {
      return (await http.requestJson(routes.link(id))) as ShortLink;
    },
    async cancel(id) {
      await http.request(routes.runningQuery(id), { method: "DELETE" });
    },
    status: () => readStatus(http),
    ...createCluster(http),
    async plan(options = {}) {
      return (await http.requestJson(
        routes.plan() + printParameters({ ...options }),
      )) as ClusterPlan;
    },
    close() {
      socket?.close();
    },
  };
}
