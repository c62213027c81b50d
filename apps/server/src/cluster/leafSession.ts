import { randomUUID } from "node:crypto";
import { HadalError, type Problem } from "@hadal/sdk";
import type { WebSocket } from "ws";
import { afterMs } from "../base/schedule/deadlines.js";
import { inTurns, type Steps } from "../base/schedule/steps.js";
import { StopController, type StopSignal } from "../base/schedule/stopController.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { encodePrintedFrame } from "./frame.js";
import {
  answerBytesMax,
  type DescribeOptions,
  type HeldDays,
  type HeldMinutes,
  type LeafAsides,
  type LeafHoldings,
  type LeafQueryStats,
  type LeafReply,
  type LeafRequest,
  type LeafStatus,
  printPartialReply,
  type ToldTable,
  type WithoutId,
} from "./leafProtocol.js";

type Request<Kind extends LeafRequest["kind"]> = Extract<LeafRequest, { readonly kind: Kind }>;
type ReplyBody<Kind extends LeafReply["kind"]> = Omit<
  WithoutId<Extract<LeafReply, { readonly kind: Kind }>>,
  "kind"
>;

/** What a leaf can do. Each may reject with a HadalError, which travels as a problem. */
export interface LeafHandlers {
  append(request: Request<"append">, body: Uint8Array): Promise<ReplyBody<"appended">>;
  holds(request: Request<"holds">): Promise<ReplyBody<"holding">["batches"]>;
  holdsOfBody(request: Request<"holdsOfBody">): Promise<ReplyBody<"holding">["batches"]>;
  setAside(request: Request<"setAside">, body: Uint8Array): Promise<void>;
  /** Null where there is none. */
  takeAside(table: string, batchId: string): Promise<ReplyBody<"appended"> | null>;
  dropAside(table: string, batchId: string): Promise<void>;
  asides(request: Request<"asides">): Promise<LeafAsides>;
  /** Resolves with the whole answer; `onPartial` gets what there is so far, each replacing the one before. */
  query(
    query: ResolvedQuery,
    context: QueryContext,
    onPartial: (answer: QueryAnswer) => Steps<void>,
  ): Promise<QueryAnswer>;
  expire(request: Request<"expire">): Promise<ReplyBody<"expiring">>;
  planThinning(request: Request<"planThinning">): Promise<ReplyBody<"expiring">>;
  planCut(request: Request<"planCut">): Promise<ReplyBody<"expiring">>;
  reduce(request: Request<"reduce">): Promise<void>;
  drop(request: Request<"drop">): Promise<void>;
  holdings(): Promise<LeafHoldings>;
  heldDays(request: Request<"heldDays">): Promise<HeldDays>;
  heldMinutes(request: Request<"heldMinutes">): Promise<HeldMinutes>;
  describe(request: DescribeOptions): Promise<readonly ToldTable[]>;
  forms(request: Request<"forms">): Promise<ReplyBody<"forms">["columns"]>;
  status(): Promise<LeafStatus>;
}

export interface QueryContext {
  /** Aborted by a cancel, by the end of the connection, and at the deadline. */
  readonly signal: StopSignal;
  /** On the clock of performance.now(). */
  readonly deadline: number;
}

export interface QueryAnswer {
  readonly stats: LeafQueryStats;
  /** An encoded PartialResult; called only when there is room to send it. */
  encode(): Steps<Uint8Array>;
}

/** One connection's requests. */
export interface LeafSession {
  /** `receivedMs`: when its frame came, on the clock of performance.now(). */
  receive(request: LeafRequest, body: Uint8Array, receivedMs: number): void;
  /** Stops its queries. */
  end(): void;
}

export function createLeafSession(
  socket: WebSocket,
  handlers: LeafHandlers,
  onError: (error: unknown, about?: string) => void,
): LeafSession {
  const queries = new Map<number, StopController>();

  const sendPrinted = (header: string, body: readonly Uint8Array[] = []): void => {
    if (socket.readyState === socket.OPEN) socket.send(encodePrintedFrame(header, body));
  };
  const send = (reply: LeafReply): void => sendPrinted(JSON.stringify(reply));

  const runQuery = async (request: Request<"query">, receivedMs: number): Promise<void> => {
    const { id, budgetMs } = request;
    const controller = new StopController();
    queries.set(id, controller);
    const callOff = afterMs(budgetMs, () => controller.abort());
    const context = { signal: controller.signal, deadline: performance.now() + budgetMs };
    const sendPartial = (body: Uint8Array, stats: LeafQueryStats, done: boolean): void => {
      // More would end the connection, and all that is asked over it.
      if (body.length > answerBytesMax) {
        const [neededBytes, freeBytes] = [body.length, answerBytesMax];
        throw new HadalError("query-memory", {
          neededBytes,
          freeBytes,
          limitName: "answerBytesMax",
        });
      }
      const workMs = Math.round((performance.now() - receivedMs) * 1_000) / 1_000;
      sendPrinted(printPartialReply({ kind: "partial", id, done, workMs, stats }), [body]);
    };
    try {
      // One that would wait in the socket is out of date when it leaves: the next replaces it.
      const mayTell = (): boolean => socket.bufferedAmount === 0 && !controller.signal.aborted;
      const answer = await handlers.query(request.query, context, function* (partial) {
        if (!mayTell()) return;
        const body = yield* partial.encode();
        if (mayTell()) sendPartial(body, partial.stats, false);
      });
      const body = await inTurns(answer.encode(), controller.signal);
      if (controller.signal.aborted) throw new HadalError("cancelled");
      sendPartial(body, answer.stats, true);
    } catch (error) {
      // After an abort whatever the scan stumbled over is its way of stopping.
      throw controller.signal.aborted ? new HadalError("cancelled") : error;
    } finally {
      callOff();
      queries.delete(id);
    }
  };

  const answer = async (
    request: LeafRequest,
    body: Uint8Array,
    receivedMs: number,
  ): Promise<void> => {
    const { id } = request;
    switch (request.kind) {
      case "append":
        return send({ kind: "appended", id, ...(await handlers.append(request, body)) });
      case "holds":
        return send({ kind: "holding", id, batches: await handlers.holds(request) });
      case "holdsOfBody":
        return send({ kind: "holding", id, batches: await handlers.holdsOfBody(request) });
      case "setAside":
        await handlers.setAside(request, body);
        return send({ kind: "done", id });
      case "takeAside": {
        const appended = await handlers.takeAside(request.table, request.batchId);
        if (appended === null) return send({ kind: "holding", id, batches: [] });
        return send({ kind: "appended", id, ...appended });
      }
      case "dropAside":
        await handlers.dropAside(request.table, request.batchId);
        return send({ kind: "done", id });
      case "asides":
        return send({ kind: "asides", id, ...(await handlers.asides(request)) });
      case "query":
        return runQuery(request, receivedMs);
      case "cancel":
        queries.get(request.queryId)?.abort();
        return send({ kind: "done", id });
      case "expire":
        return send({ kind: "expiring", id, ...(await handlers.expire(request)) });
      case "planThinning":
        return send({ kind: "expiring", id, ...(await handlers.planThinning(request)) });
      case "planCut":
        return send({ kind: "expiring", id, ...(await handlers.planCut(request)) });
      case "reduce":
        await handlers.reduce(request);
        return send({ kind: "done", id });
      case "drop":
        await handlers.drop(request);
        return send({ kind: "done", id });
      case "holdings":
        return send({ kind: "holdings", id, ...(await handlers.holdings()) });
      case "heldDays":
        return send({ kind: "heldDays", id, ...(await handlers.heldDays(request)) });
      case "heldMinutes":
        return send({ kind: "heldMinutes", id, ...(await handlers.heldMinutes(request)) });
      case "forms":
        return send({ kind: "forms", id, columns: await handlers.forms(request) });
      case "describe":
        return send({ kind: "described", id, tables: await handlers.describe(request) });
      case "status":
        return send({ kind: "status", id, status: await handlers.status() });
      default:
        throw new HadalError("bad-request", { detail: "The leaf does not know this request." });
    }
  };

  return {
    receive(request, body, receivedMs) {
      answer(request, body, receivedMs).catch((error: unknown) => {
        send({ kind: "problem", id: request.id, problem: problemOf(error, onError) });
      });
    },
    end() {
      for (const controller of queries.values()) controller.abort();
    },
  };
}

/** What only a bug explains stays in the leaf's log, under an id. */
function problemOf(error: unknown, onError: (error: unknown, about?: string) => void): Problem {
  if (error instanceof HadalError) return error.toProblem();
  const id = randomUUID();
  onError(error, `problem ${id}`);
  return new HadalError("internal", { id }).toProblem();
}
