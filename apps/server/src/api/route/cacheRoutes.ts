import { apiBase, type CacheInfo, type CachePoolInfo } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { type Operation, readParameters } from "../docs/operation.js";
import type { RouteContext } from "./routeContext.js";

const unused: CachePoolInfo = {
  ...{ bytes: 0, bytesMax: 40_265_318, hits: 0, joined: 0, stale: 0, part: 0, misses: 0 },
  evictedAgeMs: null,
};

const example: CacheInfo = {
  pools: {
    dashboards: {
      ...{ bytes: 9_400_000, bytesMax: 107_374_182, hits: 5_120, joined: 940, stale: 310 },
      ...{ part: 2_200, misses: 410, evictedAgeMs: null },
    },
    ...{ alerts: unused, facets: unused, embeds: unused, "ad-hoc": unused },
  },
};

const getCache: Operation = {
  operationId: "cache",
  summary: "The answers that this gateway keeps",
  description:
    "By what asks: the tiles of boards, alert rules, lists of values, embeds, and everything else. No pool takes bytes of another.",
  tag: "Server",
  access: "operate",
  answer: {
    status: 200,
    description: "What each pool takes, and how often it had the answer.",
    content: { "application/json": { schema: ref("Cache"), example } },
  },
};

const deleteCache: Operation = {
  operationId: "clearCache",
  summary: "Remove kept answers",
  description: "The next questions read all rows again.",
  tag: "Server",
  access: "operate",
  parameters: [
    {
      ...{ name: "table", in: "query", schema: ref("Name"), example: "visits" },
      description: "The table whose answers go; all when left out.",
    },
  ],
  answer: { status: 204, description: "They are removed." },
};

export function addCacheRoutes(app: FastifyInstance, { deps }: RouteContext): void {
  app.get(`${apiBase}/cache`, { config: { operation: getCache } }, async () => deps.cache());
  app.delete(`${apiBase}/cache`, { config: { operation: deleteCache } }, async (request, reply) => {
    const table = readParameters(request.query, deleteCache).get("table");
    await deps.clearCache(table === undefined ? null : String(table));
    return reply.code(204).send();
  });
}
