import { HadalError } from "@hadal/sdk";
import type { WebSocket } from "ws";
import { roundMs } from "../base/schedule/roundMs.js";
import { encodeFrame } from "./frame.js";
import type { QueryContext } from "./leafHandlers.js";
import { answerBytesMax } from "./leafProtocol.js";
import { problemOf } from "./leafSession.js";
import type { MemberSession, OnError } from "./memberServer.js";
import { RunningQueries } from "./runningQueries.js";
import { printParts, type StreamedParts, type TreeRequest } from "./treeProtocol.js";
import type { TreeRuns } from "./treeRuns.js";
import type { WindowCounts } from "./windowCounts.js";

export type PartsAnswer = Omit<StreamedParts, "done" | "workMs">;

/** What an aggregator does. */
export interface AggregatorHandlers {
  /**
   * Resolves with the last answer; `onAnswer` gets those before, each of which replaces the one
   * before. May reject with a HadalError, which is sent as a problem.
   */
  tree(
    request: Extract<TreeRequest, { readonly kind: "tree" }>,
    context: QueryContext,
    onAnswer: (answer: PartsAnswer) => void,
  ): Promise<PartsAnswer>;
  windows(): WindowCounts;
  /** The same for all connections. */
  readonly runs: TreeRuns;
}

/** One connection to an aggregator. */
export class AggregatorSession implements MemberSession<TreeRequest> {
  readonly #socket: WebSocket;
  readonly #handlers: AggregatorHandlers;
  readonly #onError: OnError;
  readonly #queries = new RunningQueries();

  constructor(socket: WebSocket, handlers: AggregatorHandlers, onError: OnError) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#onError = onError;
  }

  receive(request: TreeRequest, _body: Uint8Array, receivedMs: number): void {
    this.#answer(request, receivedMs).catch((error: unknown) => {
      this.#send({ kind: "problem", id: request.id, problem: problemOf(error, this.#onError) });
    });
  }

  end(): void {
    this.#queries.end();
  }

  async #answer(request: TreeRequest, receivedMs: number): Promise<void> {
    switch (request.kind) {
      case "tree":
        return this.#runQuery(request, receivedMs);
      case "cancel":
        this.#queries.cancel(request.queryId);
        return this.#send({ kind: "done", id: request.id });
      case "cancelTree":
        this.#handlers.runs.stop(request.treeId);
        return this.#send({ kind: "done", id: request.id });
      case "status":
        return this.#send({ kind: "done", id: request.id, windows: this.#handlers.windows() });
      default:
        throw new HadalError("bad-request", {
          detail: "An aggregator does not know this request.",
        });
    }
  }

  async #runQuery(
    request: Extract<TreeRequest, { readonly kind: "tree" }>,
    receivedMs: number,
  ): Promise<void> {
    const { id, treeId } = request;
    const stop = (): void => this.#queries.cancel(id);
    const leave = treeId === undefined ? null : this.#handlers.runs.enter(treeId, stop);
    try {
      await this.#runTree(request, receivedMs);
    } finally {
      leave?.();
    }
  }

  #runTree(
    request: Extract<TreeRequest, { readonly kind: "tree" }>,
    receivedMs: number,
  ): Promise<void> {
    const { id, budgetMs, snapshot } = request;
    const workMs = (): number => roundMs(performance.now() - receivedMs);
    return this.#queries.run(id, budgetMs, async (running) => {
      const context = snapshot === undefined ? running : { ...running, snapshot };
      const send = (answer: PartsAnswer, done: boolean): void => {
        const { header, body } = printParts(id, { ...answer, done, workMs: workMs() });
        this.#send(header, body);
      };
      const last = await this.#handlers.tree(request, context, (answer) => {
        // An answer that would wait in the socket is out of date when it leaves.
        if (this.#socket.bufferedAmount === 0 && !context.signal.aborted) send(answer, false);
      });
      if (context.signal.aborted) throw new HadalError("cancelled");
      send(last, true);
    });
  }

  #send(header: object, body: readonly Uint8Array[] = []): void {
    const neededBytes = body.reduce((sum, part) => sum + part.length, 0);
    // A longer one would end the connection, with all requests on it.
    if (neededBytes > answerBytesMax) {
      const limits = { freeBytes: answerBytesMax, limitName: "answerBytesMax" };
      throw new HadalError("query-memory", { neededBytes, ...limits });
    }
    if (this.#socket.readyState === this.#socket.OPEN) {
      this.#socket.send(encodeFrame(header, body));
    }
  }
}
