import fastifyCookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { clientLimitsDefault } from "../base/limit/clientLimits.js";
import { userLimitsDefault } from "../base/limit/userLimits.js";
import { bodyBytesMax } from "../ingest/body/bodyStream.js";
import { addLinger } from "./body/requestBody.js";
import { capConnections } from "./connection/capConnections.js";
import { closeUnused } from "./connection/closeUnused.js";
import { answerPreflights } from "./connection/embedCors.js";
import { type CallerCheck, identifyRequests } from "./connection/identify.js";
import { createOriginCheck } from "./connection/originCheck.js";
import { sendProblem } from "./connection/problemReply.js";
import { Proxies } from "./connection/proxies.js";
import { refuseMethod } from "./connection/refuseMethod.js";
import { AnswerSessions } from "./context/answerSessions.js";
import { clientCaps } from "./context/clientCaps.js";
import type { ApiDeps, ApiSettings } from "./context/deps.js";
import { createMetrics } from "./context/metrics.js";
import { RunningQueries } from "./context/runningQueries.js";
import { addDocsRoutes } from "./docs/docsRoutes.js";
import { listRoutes } from "./docs/openApi.js";
import { addEmbedApp } from "./embedApp.js";
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

/** The server for HTTP, live socket and web app; start it with `listen`. */
export async function createApi(deps: ApiDeps, settings: ApiSettings): Promise<FastifyInstance> {
  const app = createServer(settings.tls ?? null, deps.logError);
  const limits = settings.limits ?? { ...clientLimitsDefault, ...userLimitsDefault };
  const caps = clientCaps(limits);
  const running = new RunningQueries(deps.nowMs, caps.queries);
  const checkOrigin = createOriginCheck(settings.host, settings.hostsAllowed);
  const proxies = new Proxies(settings.trustedProxies ?? []);
  const callers: CallerCheck = {
    ...{ proxies, checkOrigin, headers: settings.personHeaders ?? null },
    identify: deps.identify,
    mayBeHost: (origin) => deps.access.mayBeHost(origin),
  };

  app.setErrorHandler((error, _request, reply) => sendProblem(reply, error, deps.logError));
  app.setNotFoundHandler((request, reply) => {
    refuseMethod(request, reply, routeList);
    return sendPageOrNotFound(request, reply, settings.webFolder);
  });
  await app.register(fastifyCookie);
  answerPreflights(app, callers.mayBeHost);
  identifyRequests(app, callers);
  capConnections(app, {
    ...{ all: caps.allConnections, ofClient: caps.connections, logError: deps.logError },
    isProxy: (address) => proxies.trusts(address),
  });
  addLinger(app);
  closeUnused(app);
  // Routes read bodies themselves, as streams, with bounds that apply to inflated bytes, too.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  await app.register(helmet, securityHeaders(settings.tls ?? null));

  const routeList = listRoutes(app);
  const metrics = createMetrics(app, { deps, running, caps });
  const sessions = new AnswerSessions();
  addRoutes(app, { deps, auth: settings.auth ?? "none", running, sessions, metrics });
  addLiveSocket(app, deps, running, {
    ...{ callers, metrics, sessions, subscriptions: caps.subscriptions },
    limits: settings.live ?? {},
  });
  addDocsRoutes(app, routeList);
  if (settings.webFolder !== null) await addWebApp(app, settings.webFolder);
  if (settings.embedFolder) {
    await addEmbedApp(app, settings.embedFolder, (id) => deps.access.hostsOf(id));
  }
  const stopChecking = deps.access.onChange(() =>
    running.endOf((person) => deps.access.whyEnded(person)),
  );
  app.addHook("onClose", async () => {
    stopChecking();
    running.cancelAll();
  });
  return app;
}

function createServer(tls: ApiSettings["tls"], logError: ApiDeps["logError"]): FastifyInstance {
  const http = {
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: lateCheckMs,
    maxHeaderSize: headerBytesMax,
  };
  const options: FastifyServerOptions = {
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: paramUnitsMax },
    exposeHeadRoutes: true,
    frameworkErrors: (error, _request, reply) => void sendProblem(reply, error, logError),
  };
  if (!tls) return fastify({ ...options, http });
  const { cert, key } = tls;
  // The types distinguish the two kinds of servers; what the routes use of them is the same.
  return fastify({
    ...(options as object),
    https: { ...http, cert, key },
  }) as unknown as FastifyInstance;
}

const securityHeaders = (tls: ApiSettings["tls"]) => ({
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
  // Without a certificate of its own, what is in front of it decides about HTTPS.
  strictTransportSecurity: tls ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  referrerPolicy: { policy: "no-referrer" as const },
});
