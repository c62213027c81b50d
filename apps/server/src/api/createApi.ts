import helmet from "@fastify/helmet";
import fastify, { type FastifyInstance } from "fastify";
import { clientLimitsDefault } from "../base/limit/clientLimits.js";
import { bodyBytesMax } from "../ingest/body/bodyStream.js";
import { addLinger } from "./body/requestBody.js";
import { capConnections } from "./connection/capConnections.js";
import { closeUnused } from "./connection/closeUnused.js";
import { createOriginCheck } from "./connection/originCheck.js";
import { sendProblem } from "./connection/problemReply.js";
import { refuseMethod } from "./connection/refuseMethod.js";
import { AnswerSessions } from "./context/answerSessions.js";
import { clientCaps } from "./context/clientCaps.js";
import type { ApiDeps, ApiSettings } from "./context/deps.js";
import { createMetrics } from "./context/metrics.js";
import { RunningQueries } from "./context/runningQueries.js";
import { addDocsRoutes } from "./docs/docsRoutes.js";
import { listRoutes } from "./docs/openApi.js";
import { addLiveSocket } from "./live/liveSocket.js";
import { addRoutes } from "./route/routes.js";
import { addWebApp, sendPageOrNotFound } from "./webApp.js";

/** 64 MiB over a slow line of 1 MB/s. */
const requestTimeoutMs = 90_000;
/** Headers are one packet: a slower client ties up a socket on purpose. */
const headersTimeoutMs = 15_000;
/** By default Node looks for late requests every 30 s: they would live three times as long. */
const lateCheckMs = 1_000;
/** A name of 255 bytes, each escaped as %XX. */
const paramUnitsMax = 1_024;
/** `?types=` of a file with a thousand columns is in an address. */
const headerBytesMax = 65_536;
const safeMethods: readonly string[] = ["GET", "HEAD", "OPTIONS"];
/** Probes say nothing of what is stored, and call a server by whatever name their machine has for it. */
const probes: readonly (string | undefined)[] = ["/healthz", "/readyz"];

/** Everything people and programs talk to: HTTP, live socket, web app. Call `listen` on what comes back. */
export async function createApi(deps: ApiDeps, settings: ApiSettings): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: lateCheckMs,
      maxHeaderSize: headerBytesMax,
    },
    routerOptions: { maxParamLength: paramUnitsMax },
    exposeHeadRoutes: true,
    frameworkErrors: (error, _request, reply) => void sendProblem(reply, error, deps.logError),
  });
  const limits = settings.limits ?? clientLimitsDefault;
  const caps = clientCaps(limits);
  const running = new RunningQueries(deps.nowMs, caps.queries);
  const checkOrigin = createOriginCheck(settings.host, settings.hostsAllowed);

  app.setErrorHandler((error, _request, reply) => sendProblem(reply, error, deps.logError));
  app.setNotFoundHandler((request, reply) => {
    refuseMethod(request, reply, routeList);
    return sendPageOrNotFound(request, reply, settings.webFolder);
  });
  app.addHook("onRequest", async (request) => {
    // By the route, never by the text of the path: one path can be spelled in many ways.
    if (!safeMethods.includes(request.method)) checkOrigin.whole(request.raw);
    else if (!probes.includes(request.routeOptions.url)) checkOrigin.host(request.raw);
  });
  capConnections(app, caps.allConnections, caps.connections, deps.logError);
  addLinger(app);
  closeUnused(app);
  // Routes read bodies themselves, as streams, with bounds that hold for inflated bytes too.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  await app.register(helmet, securityHeaders);

  const routeList = listRoutes(app);
  const metrics = createMetrics(app, { deps, running, caps });
  const sessions = new AnswerSessions();
  addRoutes(app, { deps, running, sessions, metrics });
  addLiveSocket(app, deps, running, {
    ...{ checkOrigin, metrics, sessions, subscriptions: caps.subscriptions },
    limits: settings.live ?? {},
  });
  addDocsRoutes(app, routeList);
  if (settings.webFolder !== null) await addWebApp(app, settings.webFolder);
  app.addHook("onClose", async () => running.cancelAll());
  return app;
}

const securityHeaders = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      imgSrc: ["'self'", "data:"],
      // Tooltips of the charts are positioned and coloured by style attributes; style elements stay forbidden.
      styleSrcAttr: ["'unsafe-inline'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  // Hadal itself speaks plain HTTP: what is in front of it decides about HTTPS.
  strictTransportSecurity: false,
  referrerPolicy: { policy: "no-referrer" },
} as const;
