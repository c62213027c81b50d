import type { FastifyInstance } from "fastify";
import { addFacetRoutes } from "./facetRoutes.js";
import { addFunctionRoutes } from "./functionRoutes.js";
import { addIngestRoutes } from "./ingestRoutes.js";
import { addLinkRoutes } from "./linkRoutes.js";
import { addQueryRoutes } from "./queryRoutes.js";
import type { RouteContext } from "./routeContext.js";
import { addStatusRoutes } from "./statusRoutes.js";
import { addTableRoutes } from "./tableRoutes.js";
import { addWhatChangedRoutes } from "./whatChangedRoutes.js";

/** Every file of routes, in the order of the documentation. */
const routes: readonly ((app: FastifyInstance, context: RouteContext) => void)[] = [
  addIngestRoutes,
  addQueryRoutes,
  addFacetRoutes,
  addWhatChangedRoutes,
  addTableRoutes,
  addFunctionRoutes,
  addLinkRoutes,
  addStatusRoutes,
];

export function addRoutes(app: FastifyInstance, context: RouteContext): void {
  for (const add of routes) add(app, context);
}
