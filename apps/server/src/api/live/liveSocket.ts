import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { apiBase, clientFrameBytesMax, HadalError, liveProtocol } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { WebSocketServer } from "ws";
import type { Credentials } from "../../access/credentials.js";
import type { Person } from "../../access/person.js";
import { checkEmbedHost, foreignOrigin, isEmbedToken } from "../connection/embedCors.js";
import { type CallerCheck, checkPermission, credentialsOf } from "../connection/identify.js";
import { toProblem } from "../connection/problemReply.js";
import { endWithProblem } from "../connection/rawProblem.js";
import { type AnswerSessions, sessionHeader } from "../context/answerSessions.js";
import type { RequesterCap } from "../context/clientCaps.js";
import { type ApiDeps, type LiveLimits, liveLimitsDefault } from "../context/deps.js";
import type { ApiMetrics } from "../context/metrics.js";
import type { RunningQueries } from "../context/runningQueries.js";
import type { Operation } from "../docs/operation.js";
import { queryExample } from "../docs/queryExample.js";
import { closeTimeoutMs, LiveSession } from "./liveSession.js";
import { SocketCallers } from "./socketCallers.js";

export interface LiveSettings {
  readonly callers: CallerCheck;
  readonly metrics: ApiMetrics;
  readonly limits: Partial<LiveLimits>;
  readonly sessions: AnswerSessions;
  readonly subscriptions: RequesterCap;
}

const livePath = `${apiBase}/live`;

const frameExample = { kind: "subscribe", id: "s1", query: queryExample, everyMs: 5000 } as const;

const live: Operation = {
  operationId: "live",
  summary: "Live queries over a WebSocket",
  description: `A WebSocket of JSON texts. The client sends \`ClientFrame\`s, such as \`${JSON.stringify(frameExample)}\`; the server answers with \`ServerFrame\`s: partials that replace one another, then \`final\`, or a \`problem\`. Closing the socket cancels its queries.`,
  tag: "Queries",
  access: "query",
  isForEmbeds: true,
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
    // Never the token, which browsers send as a protocol beside this one.
    handleProtocols: (offered: ReadonlySet<string>) => offered.has(liveProtocol) && liveProtocol,
  } as ConstructorParameters<typeof WebSocketServer>[0]);

  const socketCallers = new SocketCallers(deps.access, (credentials) =>
    identifyCaller(credentials, settings.callers),
  );
  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const gone = (): void => void socket.destroy();
    socket.on("error", gone);
    admit(request, settings)
      .then(({ credentials, ...admitted }) => {
        socket.off("error", gone);
        server.handleUpgrade(request, socket, head, (opened) => {
          settings.metrics.liveSockets.inc();
          opened.on("close", () => settings.metrics.liveSockets.dec());
          const { subscriptions } = settings;
          const parts = { ...admitted, deps, running, limits, subscriptions };
          const answers = new LiveSession(opened, parts);
          const { person } = admitted.requester;
          socketCallers.add(opened, {
            person,
            credentials,
            refuse: (why) => answers.refuseAll(why),
          });
        });
      })
      .catch((error: unknown) => endWithProblem(socket, toProblem(error, deps.logError)));
  });
  app.get(livePath, { config: { operation: live } }, async () => {
    const detail = "This is a WebSocket: connect with ws:// or wss://.";
    throw new HadalError("bad-request", { detail });
  });
  app.addHook("preClose", async () => {
    socketCallers.stop();
    for (const opened of server.clients) opened.close(1001, "the server stops");
  });
}

/** What a request needs for its socket. Rejects where it is refused. */
async function admit(request: IncomingMessage, { callers, sessions }: LiveSettings) {
  const reached = callers.proxies.reached(request);
  const credentials = credentialsOf(request, reached, callers.headers);
  const origin = isEmbedToken(credentials.token)
    ? foreignOrigin(request, (text) => callers.checkOrigin.isOwn(reached, text))
    : undefined;
  if (origin === undefined) callers.checkOrigin.whole(reached, request);
  else callers.checkOrigin.host(reached);
  const [path, parameters] = request.url?.split("?") ?? [];
  if (path !== livePath) throw new HadalError("not-found", { path: request.url ?? "" });
  const person = await identifyCaller(credentials, callers);
  if (origin !== undefined) checkEmbedHost(person, origin);
  const requester = { person, address: reached.address };
  // Browsers cannot set headers on sockets. A client that reconnects keeps its session.
  const named = new URLSearchParams(parameters).get("session");
  const name = named ?? request.headers[sessionHeader];
  return { requester, session: sessions.of(name, requester, randomUUID()), credentials };
}

async function identifyCaller(credentials: Credentials, callers: CallerCheck): Promise<Person> {
  const person = await callers.identify(credentials);
  checkPermission(person, live);
  return person;
}
