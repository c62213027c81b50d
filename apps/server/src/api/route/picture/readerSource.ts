import { randomUUID } from "node:crypto";
import { type Completeness, HadalError } from "@hadal/sdk";
import type { FastifyRequest } from "fastify";
import type { PictureSource } from "../../../picture/pictureOrder.js";
import { AnswerSession } from "../../../query/answerSession.js";
import type { AskOptions } from "../../context/deps.js";
import { annotationsSeenBy, documentsSeenBy } from "../../context/readerDocuments.js";
import { clientOfRequester, requesterOf } from "../../context/requester.js";
import type { RouteContext } from "../routeContext.js";
import { WorstCompleteness } from "./worstCompleteness.js";

/** A picture has no second frame: its answers may be late, but not of a part of the rows. */
const timeoutMs = 8_000;

export interface ReaderSource extends PictureSource {
  /** Of all that was answered so far; a question without an answer counts as none of its rows. */
  completeness(): Completeness;
}

/** Answers for a picture as the requests of its reader are answered: same rights, limits and turns. */
export function readerSource(
  request: FastifyRequest,
  { deps, running }: RouteContext,
  signal: AbortSignal,
): ReaderSource {
  const { person } = request;
  const { readable } = person;
  const requester = requesterOf(request);
  const session = new AnswerSession(clientOfRequester(requester));
  const completeness = new WorstCompleteness();
  const runs = new PictureRuns(signal);
  /** A table or a document that cannot be read is no answer either. */
  const orLack = async <Value>(value: Promise<Value>): Promise<Value> => {
    try {
      return await value;
    } catch (error) {
      completeness.addLack();
      throw error;
    }
  };
  const run = <Answer extends { readonly completeness: Completeness }>(
    asked: unknown,
    ask: (options: AskOptions<Answer>) => Promise<Answer>,
  ): Promise<Answer> =>
    runs.run(async (controller) => {
      const id = randomUUID();
      const answer = await orLack(
        running.run(id, asked, { requester, controller }, (stop) =>
          ask({ id, signal: stop, session, readable }),
        ),
      );
      completeness.add(answer.completeness);
      return answer;
    });
  const isVisitor = person.kind === "embed";
  return {
    completeness: () => completeness.worst,
    ask: (query) => run(patient(query), (options) => deps.ask(patient(query), options)),
    whatChanged: (asked) =>
      run(patient(asked), (options) => deps.whatChanged(patient(asked), options)),
    columns: async (table) => (await orLack(deps.table(table, readable))).columns,
    document: async (id) => {
      // An embed token is for one table's rows, whatever was saved about it.
      if (isVisitor) throw new HadalError("unknown-document", { id });
      return orLack(documentsSeenBy(person, deps).find(id));
    },
    annotations: async (filter) =>
      isVisitor ? { annotations: [], queries: [] } : annotationsSeenBy(person, filter, deps),
  };
}

export const patient = <Asked extends { readonly timeoutMs?: number }>(asked: Asked): Asked => ({
  ...asked,
  timeoutMs: asked.timeoutMs ?? timeoutMs,
});

/** The questions of a picture that run now; all of them stop with the picture. */
class PictureRuns {
  readonly #open = new Set<AbortController>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      for (const controller of this.#open) controller.abort();
    });
  }

  async run<Answer>(ask: (controller: AbortController) => Promise<Answer>): Promise<Answer> {
    // Of its own: queries leave listeners at their signals.
    const controller = new AbortController();
    this.#open.add(controller);
    if (this.#signal.aborted) controller.abort();
    try {
      return await ask(controller);
    } finally {
      this.#open.delete(controller);
    }
  }
}
