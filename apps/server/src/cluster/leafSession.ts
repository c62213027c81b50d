import { randomUUID } from "node:crypto";
import { HadalError, type Problem } from "@hadal/sdk";
import type { WebSocket } from "ws";
import { afterMs } from "../base/schedule/deadlines.js";
import { inTurns } from "../base/schedule/steps.js";
import { StopController } from "../base/schedule/stopController.js";
import { answerRequest } from "./answerRequest.js";
import { encodePrintedFrame } from "./frame.js";
import type { LeafHandlers, RequestOf } from "./leafHandlers.js";
import { answerBytesMax, type LeafRequest } from "./leafProtocol.js";
import { type LeafReply, type PartialReply, printPartialReply } from "./leafReply.js";

type OnError = (error: unknown, about?: string) => void;

/** One connection's requests. */
export class LeafSession {
  readonly #socket: WebSocket;
  readonly #handlers: LeafHandlers;
  readonly #onError: OnError;
  /** Queries that run, by the id of their request. */
  readonly #queries = new Map<number, StopController>();

  constructor(socket: WebSocket, handlers: LeafHandlers, onError: OnError) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#onError = onError;
  }

  /** `receivedMs`: when its frame came, on the clock of performance.now(). */
  receive(request: LeafRequest, body: Uint8Array, receivedMs: number): void {
    this.#answer(request, body, receivedMs).catch((error: unknown) => {
      this.#send({ kind: "problem", id: request.id, problem: problemOf(error, this.#onError) });
    });
  }

  /** Stops its queries. */
  end(): void {
    for (const controller of this.#queries.values()) controller.abort();
  }

  async #answer(request: LeafRequest, body: Uint8Array, receivedMs: number): Promise<void> {
    if (request.kind === "query") return this.#runQuery(request, receivedMs);
    if (request.kind === "cancel") {
      this.#queries.get(request.queryId)?.abort();
      return this.#send({ kind: "done", id: request.id });
    }
    this.#send(await answerRequest(this.#handlers, request, body));
  }

  async #runQuery(request: RequestOf<"query">, receivedMs: number): Promise<void> {
    const { id, budgetMs } = request;
    const controller = new StopController();
    this.#queries.set(id, controller);
    const callOff = afterMs(budgetMs, () => controller.abort());
    const context = { signal: controller.signal, deadline: performance.now() + budgetMs };
    const workMs = (): number => Math.round((performance.now() - receivedMs) * 1_000) / 1_000;
    try {
      // A partial result that would wait in the socket is out of date when it leaves.
      const maySend = (): boolean =>
        this.#socket.bufferedAmount === 0 && !controller.signal.aborted;
      const handlers = this.#handlers;
      const sendPartial = this.#sendPartial.bind(this);
      const answer = await handlers.query(request.query, context, function* (partial) {
        if (!maySend()) return;
        const body = yield* partial.encode();
        const { stats } = partial;
        if (maySend())
          sendPartial({ kind: "partial", id, done: false, workMs: workMs(), stats }, body);
      });
      const body = await inTurns(answer.encode(), controller.signal);
      if (controller.signal.aborted) throw new HadalError("cancelled");
      const { stats } = answer;
      sendPartial({ kind: "partial", id, done: true, workMs: workMs(), stats }, body);
    } catch (error) {
      // After an abort every error is a way of stopping.
      throw controller.signal.aborted ? new HadalError("cancelled") : error;
    } finally {
      callOff();
      this.#queries.delete(id);
    }
  }

  #sendPartial(reply: PartialReply, body: Uint8Array): void {
    // A longer one would end the connection, with all requests on it.
    if (body.length > answerBytesMax) {
      const [neededBytes, freeBytes] = [body.length, answerBytesMax];
      throw new HadalError("query-memory", { neededBytes, freeBytes, limitName: "answerBytesMax" });
    }
    this.#sendPrinted(printPartialReply(reply), [body]);
  }

  #send(reply: LeafReply): void {
    this.#sendPrinted(JSON.stringify(reply));
  }

  #sendPrinted(header: string, body: readonly Uint8Array[] = []): void {
    if (this.#socket.readyState === this.#socket.OPEN) {
      this.#socket.send(encodePrintedFrame(header, body));
    }
  }
}

/** What only a bug explains stays in the leaf's log, under an id. */
function problemOf(error: unknown, onError: OnError): Problem {
  if (error instanceof HadalError) return error.toProblem();
  const id = randomUUID();
  onError(error, `problem ${id}`);
  return new HadalError("internal", { id }).toProblem();
}
