import { randomUUID } from "node:crypto";
import { apiBase, bigintAsText } from "@hadal/sdk";
import type { FastifyInstance } from "fastify";
import type { ApiDeps } from "./deps.js";
import { postFacets } from "./facetOperations.js";
import { readJsonBody } from "./jsonBody.js";
import { cancelOnDisconnect, completenessHeader } from "./queryRoutes.js";
import { printCompleteness } from "./resultFormats.js";
import type { RunningQueries } from "./runningQueries.js";

export function addFacetRoutes(app: FastifyInstance, deps: ApiDeps, running: RunningQueries): void {
  app.post(`${apiBase}/facets`, { config: { operation: postFacets } }, async (request, reply) => {
    const asked = await readJsonBody(request);
    const controller = cancelOnDisconnect(reply);
    const id = randomUUID();
    const facets = await running.run(id, asked, controller, (signal) =>
      deps.facets(asked, { id, signal }),
    );
    reply.header(completenessHeader, printCompleteness(facets.completeness));
    return reply.type("application/json; charset=utf-8").send(JSON.stringify(facets, bigintAsText));
  });
}
