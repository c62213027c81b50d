import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { apiBase, clientFrameBytesMax, HadalError } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { WebSocketServer } from "ws";
import type { OriginCheck } from "../connection/originCheck.js";
import { toProblem } from "../connection/problemReply.js";
import { endWithProblem } from "../connection/rawProblem.js";
import { type AnswerSessions, sessionHeader } from "../context/answerSessions.js";
import type { ClientCap } from "../context/clientCap.js";
import { type ApiDeps, type LiveLimits, liveLimitsDefault } from "../context/deps.js";
import type { ApiMetrics } from "../context/metrics.js";
import type { RunningQueries } from "../context/runningQueries.js";
import type { Operation } from "../docs/operation.js";
import { queryExample } from "../docs/queryExample.js";
import { closeTimeoutMs, LiveSession } from "./liveSession.js";

export interface LiveSettings {
  readonly checkOrigin: OriginCheck;
  readonly metrics: ApiMetrics;
  readonly limits: Partial<LiveLimits>;
  readonly sessions: AnswerSessions;
  readonly subscriptions: ClientCap;
}

const livePath = `${apiBase}/live`;

const frameExample = { kind: "subscribe", id: "s1", query: queryExample, everyMs: 5000 } as const;

const live: Operation = {
  operationId: "live",
  summary: "Live queries over a WebSocket",
  description: `A WebSocket of JSON texts. The client sends \`ClientFrame\`s, such as \`${JSON.stringify(frameExample)}\`; the server answers with \`ServerFrame\`s: partials that replace one another, then \`final\`, or a \`problem\`. Closing the socket cancels its queries.`,
  tag: "Queries",
  answer: {
    status: 101,
    description: "The connection is a WebSocket from here on.",
    content: {
      "application/json": { schema: { anyOf: [ref("ClientFrame"), ref("ServerFrame")] } },
    },
  },
  problems: ["bad-request", "origin-refused"],
};

/** Serves live queries on a WebSocket. */
export function addLiveSocket(
  app: FastifyInstance,
  deps: ApiDeps,
  running: RunningQueries,
  settings: LiveSettings,
): void {
  const limits = { ...liveLimitsDefault, ...settings.limits };
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: clientFrameBytesMax,
    perMessageDeflate: false,
    closeTimeout: closeTimeoutMs,
  } as ConstructorParameters<typeof WebSocketServer>[0]);

  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    try {
      settings.checkOrigin.whole(request);
      const [path, parameters] = request.url?.split("?") ?? [];
      if (path !== livePath) throw new HadalError("not-found", { path: request.url ?? "" });
      // Browsers give sockets no headers; whose socket is lost goes on with its session on the next.
      const named = new URLSearchParams(parameters).get("session");
      const name = named ?? request.headers[sessionHeader];
      const client = request.socket.remoteAddress ?? "";
      const session = settings.sessions.of(name, client, randomUUID());
      server.handleUpgrade(request, socket, head, (opened) => {
        settings.metrics.liveSockets.inc();
        opened.on("close", () => settings.metrics.liveSockets.dec());
        const { subscriptions } = settings;
        new LiveSession(opened, { deps, running, limits, session, client, subscriptions });
      });
    } catch (error) {
      endWithProblem(socket, toProblem(error, deps.logError));
    }
  });
  app.get(livePath, { config: { operation: live } }, async () => {
    const detail = "This is a WebSocket: connect with ws:// or wss://.";
    throw new HadalError("bad-request", { detail });
  });
  app.addHook("preClose", async () => {
    for (const opened of server.clients) opened.close(1001, "the server stops");
  });
}
