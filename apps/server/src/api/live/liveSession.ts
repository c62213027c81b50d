import { randomUUID } from "node:crypto";
import { HadalError } from "@hadal/sdk";
import type { RawData, WebSocket } from "ws";
import { StopController } from "../../base/schedule/stopController.js";
import type { AnswerSession } from "../../query/answerSession.js";
import { toProblem } from "../connection/problemReply.js";
import type { ClientCap } from "../context/clientCap.js";
import type { ApiDeps, LiveLimits } from "../context/deps.js";
import type { RunningQueries } from "../context/runningQueries.js";
import { answerFrame, type QueryFrame } from "./answerFrame.js";
import { type CheckedFrame, checkClientFrame } from "./clientFrame.js";
import { FrameOutlet } from "./frameOutlet.js";
import { type SocketPings, startPings } from "./socketPings.js";

/** A query of a socket: it runs, or waits for its next run. */
interface LiveQuery {
  readonly controller: StopController;
  timer: NodeJS.Timeout | null;
  /** Gives its place among the client's subscriptions back. */
  readonly release: () => void;
}

export interface LiveSessionOptions {
  readonly deps: ApiDeps;
  readonly running: RunningQueries;
  readonly limits: LiveLimits;
  readonly session: AnswerSession;
  /** The address at the other end. */
  readonly client: string;
  readonly subscriptions: ClientCap;
}

/** A closing peer that does not answer is cut off after this. */
export const closeTimeoutMs = 1_000;

/** The queries of one socket, from its first frame until it closes. */
export class LiveSession {
  readonly #socket: WebSocket;
  readonly #options: LiveSessionOptions;
  readonly #queries = new Map<string, LiveQuery>();
  readonly #pings: SocketPings;
  readonly #outlet: FrameOutlet;

  constructor(socket: WebSocket, options: LiveSessionOptions) {
    const { deps, limits } = options;
    this.#socket = socket;
    this.#options = options;
    const pings = startPings(socket, limits);
    this.#pings = pings;
    this.#outlet = new FrameOutlet(socket, {
      answers: deps.answers,
      limits,
      onStuck: () => this.#cutOff(),
      // Pings wait behind a long answer: to take some of it is a sign of life too.
      onTaken: () => pings.hear(),
    });
    socket.on("message", (bytes: RawData, isBinary: boolean) =>
      this.#receive(isBinary ? "" : bytes.toString()),
    );
    socket.on("close", () => this.#end());
    // `close` follows; a frame that is too large or malformed ends the socket with the code the standard has for it.
    socket.on("error", () => undefined);
  }

  #receive(text: string): void {
    const frame = checkClientFrame(text);
    if ("kind" in frame) this.#take(frame);
    else this.#refuse(frame.id, frame.error);
  }

  #take(frame: CheckedFrame): void {
    const { limits, subscriptions, client } = this.#options;
    // A query under an id that runs takes its place: the newer one is what the panel shows.
    this.#drop(frame.id);
    if (frame.kind === "cancel") return;
    if (this.#queries.size >= limits.queriesMax) {
      const detail = `This socket has ${limits.queriesMax} queries already (queriesMax).`;
      this.#refuse(frame.id, new HadalError("overloaded", { detail }));
      return;
    }
    try {
      const release = frame.kind === "subscribe" ? subscriptions.take(client) : () => undefined;
      const query: LiveQuery = { controller: new StopController(), timer: null, release };
      this.#queries.set(frame.id, query);
      void this.#run(frame, query);
    } catch (error) {
      this.#refuse(frame.id, error);
    }
  }

  async #run(frame: QueryFrame, query: LiveQuery): Promise<void> {
    const { deps, running, session, client } = this.#options;
    const { id, asked } = frame;
    const isCurrent = (): boolean => this.#queries.get(id) === query;
    const queryId = randomUUID();
    const end = (): void => {
      if (isCurrent()) this.#forget(id, query);
    };
    const again = (): void => {
      if (isCurrent() && frame.kind === "subscribe") {
        query.timer = setTimeout(() => void this.#run(frame, query), frame.everyMs);
      } else end();
    };
    try {
      const by = { client, controller: query.controller };
      const last = await running.run(queryId, asked.query, by, (signal) =>
        answerFrame(frame, deps, {
          ...{ queryId, signal, session },
          onPartial: (partial) => {
            if (isCurrent()) this.#outlet.push(partial);
          },
        }),
      );
      // The next answer is asked for when this one has left: a slow reader is not asked for more.
      if (isCurrent()) this.#outlet.push(last, again);
    } catch (failure) {
      if (!isCurrent()) return;
      const error = asked.explain(failure);
      // Asked again only where that may help.
      const retry = error instanceof HadalError && error.retry;
      const problem = toProblem(error, deps.logError);
      this.#outlet.push({ kind: "problem", id, problem }, retry ? again : end);
    }
  }

  #refuse(id: string, error: unknown): void {
    const problem = toProblem(error, this.#options.deps.logError);
    this.#outlet.push({ kind: "problem", id, problem });
  }

  #drop(id: string): void {
    const query = this.#queries.get(id);
    if (query === undefined) return;
    this.#forget(id, query);
    if (query.timer !== null) clearTimeout(query.timer);
    query.controller.abort();
  }

  #forget(id: string, query: LiveQuery): void {
    this.#queries.delete(id);
    query.release();
    this.#outlet.forget(id);
  }

  #cutOff(): void {
    this.#socket.close(1013, "the client reads too slowly");
    // The close frame waits behind what is stuck: do not wait for it.
    setTimeout(() => this.#socket.terminate(), closeTimeoutMs).unref();
  }

  #end(): void {
    this.#pings.stop();
    for (const id of [...this.#queries.keys()]) this.#drop(id);
    this.#outlet.close();
  }
}
