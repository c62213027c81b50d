import { randomUUID } from "node:crypto";
import { HadalError, type Problem } from "@hadal/sdk";
import type { WebSocket } from "ws";
import { inTurns } from "../base/schedule/steps.js";
import { answerCopyRequest } from "./answerCopyRequest.js";
import { answerRequest } from "./answerRequest.js";
import { isCopyRequest } from "./copyProtocol.js";
import { encodePrintedFrame } from "./frame.js";
import type { LeafHandlers, RequestOf } from "./leafHandlers.js";
import { answerBytesMax, type LeafRequest } from "./leafProtocol.js";
import { type LeafReply, type PartialReply, printPartialReply } from "./leafReply.js";
import type { MemberSession, OnError } from "./memberServer.js";
import { RunningQueries } from "./runningQueries.js";

/** One connection's requests. */
export class LeafSession implements MemberSession<LeafRequest> {
  readonly #socket: WebSocket;
  readonly #handlers: LeafHandlers;
  readonly #onError: OnError;
  readonly #queries = new RunningQueries();

  constructor(socket: WebSocket, handlers: LeafHandlers, onError: OnError) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#onError = onError;
  }

  receive(request: LeafRequest, body: Uint8Array, receivedMs: number): void {
    this.#answer(request, body, receivedMs).catch((error: unknown) => {
      this.#send({ kind: "problem", id: request.id, problem: problemOf(error, this.#onError) });
    });
  }

  end(): void {
    this.#queries.end();
  }

  async #answer(request: LeafRequest, body: Uint8Array, receivedMs: number): Promise<void> {
    if (request.kind === "query") return this.#runQuery(request, receivedMs);
    if (request.kind === "cancel") {
      this.#queries.cancel(request.queryId);
      return this.#send({ kind: "done", id: request.id });
    }
    if (isCopyRequest(request)) {
      const answer = await answerCopyRequest(this.#handlers.copies, request);
      return this.#sendPrinted(
        JSON.stringify(answer.reply),
        answer.body === undefined ? [] : [answer.body],
      );
    }
    this.#send(await answerRequest(this.#handlers, request, body));
  }

  async #runQuery(request: RequestOf<"query">, receivedMs: number): Promise<void> {
    const { id, budgetMs, snapshot } = request;
    const workMs = (): number => Math.round((performance.now() - receivedMs) * 1_000) / 1_000;
    await this.#queries.run(id, budgetMs, async (running) => {
      const { signal } = running;
      const context = snapshot === undefined ? running : { ...running, snapshot };
      // A partial result that would wait in the socket is out of date when it leaves.
      const maySend = (): boolean => this.#socket.bufferedAmount === 0 && !signal.aborted;
      const handlers = this.#handlers;
      const sendPartial = this.#sendPartial.bind(this);
      const answer = await handlers.query(request.query, context, function* (partial) {
        if (!maySend()) return;
        const body = yield* partial.encode();
        const { stats } = partial;
        if (maySend())
          sendPartial({ kind: "partial", id, done: false, workMs: workMs(), stats }, body);
      });
      const body = await inTurns(answer.encode(), signal);
      if (signal.aborted) throw new HadalError("cancelled");
      const { stats } = answer;
      sendPartial({ kind: "partial", id, done: true, workMs: workMs(), stats }, body);
    });
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
export function problemOf(error: unknown, onError: OnError): Problem {
  if (error instanceof HadalError) return error.toProblem();
  const id = randomUUID();
  onError(error, `problem ${id}`);
  return new HadalError("internal", { id }).toProblem();
}
