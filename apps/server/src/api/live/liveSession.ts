import { randomUUID } from "node:crypto";
import { HadalError } from "@hadal/sdk";
import type { WebSocket } from "ws";
import { StopController } from "../../base/schedule/stopController.js";
import type { AnswerSession } from "../../query/answerSession.js";
import { SharedScans } from "../../query/run/sharedScans.js";
import { toProblem } from "../connection/problemReply.js";
import type { RequesterCap } from "../context/clientCaps.js";
import type { ApiDeps, LiveLimits } from "../context/deps.js";
import type { Requester } from "../context/requester.js";
import type { RunningQueries } from "../context/runningQueries.js";
import { answerFrame, type QueryFrame } from "./answerFrame.js";
import { type BatchFrame, type CheckedFrame, checkClientFrame } from "./clientFrame.js";
import { FrameOutlet } from "./frameOutlet.js";
import { LiveBatch } from "./liveBatch.js";
import { type SocketPings, startPings } from "./socketPings.js";

/** A query of a socket: it runs, or waits for its next run. */
interface LiveQuery {
  readonly controller: StopController;
  timer: NodeJS.Timeout | null;
  /** Releases its place among the client's subscriptions. */
  readonly release: () => void;
}

export interface LiveSessionOptions {
  readonly deps: ApiDeps;
  readonly running: RunningQueries;
  readonly limits: LiveLimits;
  readonly session: AnswerSession;
  readonly requester: Requester;
  readonly subscriptions: RequesterCap;
}

/** A closing peer that does not answer is cut off after this. */
export const closeTimeoutMs = 1_000;

/** The queries of one socket, from its first frame until it closes. */
export class LiveSession {
  readonly #socket: WebSocket;
  readonly #options: LiveSessionOptions;
  readonly #queries = new Map<string, LiveQuery>();
  /** Those of the queries that are batches. */
  readonly #batches = new Map<string, LiveBatch>();
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
      // Pings wait behind a long answer: taking data is a sign of life, too.
      onTaken: () => pings.hear(),
    });
    socket.on("message", (bytes, isBinary) => this.#receive(isBinary ? "" : bytes.toString()));
    socket.on("close", () => this.#end());
    // `close` follows; a frame that is too large or malformed ends the socket with the code the standard has for it.
    socket.on("error", () => undefined);
  }

  /** Ends all queries with that problem; resolves when it has left for the network. */
  async refuseAll(error: unknown): Promise<void> {
    const ids = [...this.#queries.keys()];
    await Promise.all(
      ids.map((id) => {
        this.#drop(id);
        return new Promise<void>((resolve) => this.#refuse(id, error, resolve));
      }),
    );
  }

  #receive(text: string): void {
    const frame = checkClientFrame(text);
    if ("kind" in frame) this.#take(frame);
    else this.#refuse(frame.id, frame.error);
  }

  #take(frame: CheckedFrame): void {
    const { limits, subscriptions, requester } = this.#options;
    if (frame.kind === "priority") {
      this.#batches.get(frame.id)?.prioritize(frame.tiles);
      return;
    }
    // A query under an id that runs takes its place: the newer one is what the panel shows.
    this.#drop(frame.id);
    if (frame.kind === "cancel") return;
    if (this.#queries.size >= limits.queriesMax) {
      const detail = `This socket has ${limits.queriesMax} queries already (queriesMax).`;
      this.#refuse(frame.id, new HadalError("overloaded", { detail }));
      return;
    }
    try {
      const isRepeated =
        frame.kind === "subscribe" || (frame.kind === "batch" && frame.everyMs !== null);
      const release = isRepeated ? subscriptions.take(requester) : () => undefined;
      const query: LiveQuery = { controller: new StopController(), timer: null, release };
      this.#queries.set(frame.id, query);
      if (frame.kind === "batch") this.#batches.set(frame.id, this.#openBatch(frame, query));
      else void this.#run(frame, query);
    } catch (error) {
      this.#refuse(frame.id, error);
    }
  }

  async #run(frame: QueryFrame, query: LiveQuery): Promise<void> {
    const { deps, running, session, requester } = this.#options;
    const { readable } = requester.person;
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
      const by = { requester, controller: query.controller };
      const last = await running.run(queryId, asked.query, by, (signal) =>
        answerFrame(frame, deps, {
          ...{ queryId, signal, session, readable },
          onPartial: (partial) => {
            if (isCurrent()) this.#outlet.push(partial);
          },
        }),
      );
      // The next answer starts when this one is sent, so that a slow reader causes no more work.
      if (isCurrent()) this.#outlet.push(last, again);
    } catch (failure) {
      if (!isCurrent()) return;
      const error = asked.explain(failure);
      // Retried only where that may help.
      const retry = error instanceof HadalError && error.retry;
      const problem = toProblem(error, deps.logError);
      this.#outlet.push({ kind: "problem", id, problem }, retry ? again : end);
    }
  }

  #openBatch(frame: BatchFrame, query: LiveQuery): LiveBatch {
    const { deps, running, session, requester } = this.#options;
    const { readable } = requester.person;
    const { id } = frame;
    return new LiveBatch({
      frame,
      beginRound: () => {
        const scans = new SharedScans();
        // All tiles of a round are one answer: none makes another one too old.
        const floor = session.newestAsOf;
        return async ({ tile, query: asked, controller, onPartial }) => {
          const queryId = randomUUID();
          const by = { requester, controller };
          const result = await running.run(queryId, asked, by, (signal) =>
            deps.ask(asked, {
              ...{ id: queryId, signal, session, readable, scans, floor, pool: "dashboards" },
              onPartial: (partial) => onPartial({ kind: "partial", id, tile, ...partial }),
            }),
          );
          return { kind: "final", id, tile, ...result };
        };
      },
      problemOf: (tile, error) => {
        const problem = toProblem(error, deps.logError);
        return { kind: "problem", id, tile, problem };
      },
      push: (given, sent) => this.#outlet.push(given, sent),
      onEnd: () => {
        if (this.#queries.get(id) === query) this.#forget(id, query);
      },
    });
  }

  #refuse(id: string, error: unknown, sent?: () => void): void {
    const problem = toProblem(error, this.#options.deps.logError);
    this.#outlet.push({ kind: "problem", id, problem }, sent);
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
    this.#batches.get(id)?.stop();
    this.#batches.delete(id);
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
