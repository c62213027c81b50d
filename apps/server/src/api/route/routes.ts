import type { FastifyInstance } from "fastify";
import { addAlertRoutes } from "./alert/alertRoutes.js";
import { addAnnotationRoutes } from "./annotationRoutes.js";
import { addCacheRoutes } from "./cacheRoutes.js";
import { addClusterRoutes } from "./clusterRoutes.js";
import { addDocumentRoutes } from "./documentRoutes.js";
import { addFacetRoutes } from "./facetRoutes.js";
import { addFunctionRoutes } from "./functionRoutes.js";
import { addBatchesRoute } from "./ingest/batchesRoute.js";
import { addIngestRoutes } from "./ingest/ingestRoutes.js";
import { addSourceRoutes } from "./ingest/sourceRoutes.js";
import { addLinkRoutes } from "./linkRoutes.js";
import { addOtlpRoutes } from "./otlp/otlpRoutes.js";
import { addAuditRoutes } from "./people/auditRoutes.js";
import { addEmbedKeyRoutes } from "./people/embedKeyRoutes.js";
import { addEmbedRoutes } from "./people/embedRoutes.js";
import { addGrantRoutes } from "./people/grantRoutes.js";
import { addOidcRoutes } from "./people/oidcRoutes.js";
import { addSessionRoutes } from "./people/sessionRoutes.js";
import { addTokenRoutes } from "./people/tokenRoutes.js";
import { addUserRoutes } from "./people/userRoutes.js";
import { addDocumentPictureRoutes } from "./picture/documentPictureRoutes.js";
import { addEmbedPictureRoutes } from "./picture/embedPictureRoutes.js";
import { addPlanRoutes } from "./planRoutes.js";
import { addQueryRoutes } from "./queryRoutes.js";
import type { RouteContext } from "./routeContext.js";
import { addStatusRoutes } from "./statusRoutes.js";
import { addTableRoutes } from "./tableRoutes.js";
import { addWhatChangedRoutes } from "./whatChangedRoutes.js";

/** Every file of routes, in the order of the documentation. */
const routes: readonly ((app: FastifyInstance, context: RouteContext) => void)[] = [
  addBatchesRoute,
  addIngestRoutes,
  addOtlpRoutes,
  addSourceRoutes,
  addQueryRoutes,
  addFacetRoutes,
  addWhatChangedRoutes,
  addTableRoutes,
  addFunctionRoutes,
  addDocumentRoutes,
  addDocumentPictureRoutes,
  addAnnotationRoutes,
  addAlertRoutes,
  addLinkRoutes,
  addSessionRoutes,
  addOidcRoutes,
  addUserRoutes,
  addTokenRoutes,
  addGrantRoutes,
  addAuditRoutes,
  addEmbedRoutes,
  addEmbedKeyRoutes,
  addEmbedPictureRoutes,
  addStatusRoutes,
  addClusterRoutes,
  addCacheRoutes,
  addPlanRoutes,
];

export function addRoutes(app: FastifyInstance, context: RouteContext): void {
  for (const add of routes) add(app, context);
}
