import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { apiBase, clientFrameBytesMax, HadalError } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { StopController } from "../../base/schedule/stopController.js";
import type { AnswerSession } from "../../query/answerSession.js";
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
import { type AskingFrame, answerFrame } from "./answerFrame.js";
import { type CheckedFrame, checkClientFrame } from "./clientFrame.js";
import { FrameOutlet } from "./frameOutlet.js";

export interface LiveSettings {
  readonly checkOrigin: OriginCheck;
  readonly metrics: ApiMetrics;
  readonly limits: Partial<LiveLimits>;
  readonly sessions: AnswerSessions;
  readonly subscriptions: ClientCap;
}

const livePath = `${apiBase}/live`;
/** A closing peer that does not answer is cut off after this. */
const closeTimeoutMs = 1_000;

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
        openSession(opened, deps, running, { limits, session, client, subscriptions });
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

/** One question of a socket: it runs, or waits to be asked again. */
interface Question {
  readonly controller: StopController;
  timer: NodeJS.Timeout | null;
  /** Gives its place among the client's subscriptions back. */
  readonly release: () => void;
}

interface SocketSettings {
  readonly limits: LiveLimits;
  readonly session: AnswerSession;
  /** The address at the other end. */
  readonly client: string;
  readonly subscriptions: ClientCap;
}

function openSession(
  socket: WebSocket,
  deps: ApiDeps,
  running: RunningQueries,
  { limits, session, client, subscriptions }: SocketSettings,
): void {
  const questions = new Map<string, Question>();
  const pings = keepAlive(socket, limits);
  const cutOff = (): void => {
    socket.close(1013, "the client reads too slowly");
    // The close frame waits behind what is stuck: do not wait for it.
    setTimeout(() => socket.terminate(), closeTimeoutMs).unref();
  };
  // Pings wait behind a long answer: to take some of it is a sign of life too.
  const outlet = new FrameOutlet(socket, deps.answers, limits, cutOff, () => pings.hear());

  const drop = (id: string): void => {
    const question = questions.get(id);
    if (question === undefined) return;
    questions.delete(id);
    question.release();
    if (question.timer !== null) clearTimeout(question.timer);
    question.controller.abort();
    outlet.forget(id);
  };

  const ask = async (frame: AskingFrame, question: Question): Promise<void> => {
    const { id, asked } = frame;
    const current = (): boolean => questions.get(id) === question;
    const queryId = randomUUID();
    const end = (): void => {
      if (!current()) return;
      questions.delete(id);
      question.release();
      outlet.forget(id);
    };
    const again = (): void => {
      if (current() && frame.kind === "subscribe") {
        question.timer = setTimeout(() => void ask(frame, question), frame.everyMs);
      } else end();
    };
    try {
      const by = { client, controller: question.controller };
      const last = await running.run(queryId, asked.query, by, (signal) =>
        answerFrame(frame, deps, {
          queryId,
          signal,
          session,
          onPartial: (partial) => {
            if (current()) outlet.push(partial);
          },
        }),
      );
      // The next answer is asked for when this one has left: a slow reader is not asked for more.
      if (current()) outlet.push(last, again);
    } catch (failure) {
      if (!current()) return;
      const error = asked.explain(failure);
      // Asked again only where that may help.
      const retry = error instanceof HadalError && error.retry;
      const problem = toProblem(error, deps.logError);
      outlet.push({ kind: "problem", id, problem }, retry ? again : end);
    }
  };

  const take = (frame: CheckedFrame): void => {
    // A query under an id that runs takes its place: the newer one is what the panel shows.
    drop(frame.id);
    if (frame.kind === "cancel") return;
    if (questions.size >= limits.queriesMax) {
      const detail = `This socket has ${limits.queriesMax} queries already (queriesMax).`;
      const problem = new HadalError("overloaded", { detail }).toProblem();
      outlet.push({ kind: "problem", id: frame.id, problem });
      return;
    }
    try {
      const release = frame.kind === "subscribe" ? subscriptions.take(client) : () => undefined;
      const question: Question = { controller: new StopController(), timer: null, release };
      questions.set(frame.id, question);
      void ask(frame, question);
    } catch (error) {
      const problem = toProblem(error, deps.logError);
      outlet.push({ kind: "problem", id: frame.id, problem });
    }
  };

  socket.on("message", (bytes: RawData, isBinary: boolean) => {
    const frame = checkClientFrame(isBinary ? "" : bytes.toString());
    if ("kind" in frame) take(frame);
    else {
      const problem = toProblem(frame.error, deps.logError);
      outlet.push({ kind: "problem", id: frame.id, problem });
    }
  });
  socket.on("close", () => {
    pings.stop();
    for (const id of [...questions.keys()]) drop(id);
    outlet.close();
  });
  // `close` follows; a frame that is too large or malformed ends the socket with the code the standard has for it.
  socket.on("error", () => undefined);
}

interface Pings {
  /** There was a sign of life. */
  hear(): void;
  stop(): void;
}

/** Finds peers that are gone without a word. */
function keepAlive(socket: WebSocket, limits: LiveLimits): Pings {
  let missed = 0;
  const hear = (): void => {
    missed = 0;
  };
  socket.on("pong", hear);
  const timer = setInterval(() => {
    if (missed >= limits.pingsMissedMax) {
      socket.terminate();
      return;
    }
    missed++;
    socket.ping();
  }, limits.pingMs);
  timer.unref();
  return { hear, stop: () => clearInterval(timer) };
}
