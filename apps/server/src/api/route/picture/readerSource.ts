import { randomUUID } from "node:crypto";
import { type Completeness, HadalError, resolveTime } from "@hadal/sdk";
import type { FastifyRequest } from "fastify";
import type { PictureSource } from "../../../picture/pictureOrder.js";
import { AnswerSession } from "../../../query/answerSession.js";
import type { AskOptions } from "../../context/deps.js";
import { annotationsSeenBy, documentsSeenBy } from "../../context/readerDocuments.js";
import { clientOfRequester, requesterOf } from "../../context/requester.js";
import type { RouteContext } from "../routeContext.js";

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
  const open = new Set<AbortController>();
  signal.addEventListener("abort", () => {
    for (const controller of open) controller.abort();
  });
  const run = async <Answer extends { readonly completeness: Completeness }>(
    asked: unknown,
    ask: (options: AskOptions<Answer>) => Promise<Answer>,
  ): Promise<Answer> => {
    const id = randomUUID();
    // Of its own: queries leave listeners at their signals.
    const controller = new AbortController();
    open.add(controller);
    if (signal.aborted) controller.abort();
    try {
      const answer = await running.run(id, asked, { requester, controller }, (stop) =>
        ask({ id, signal: stop, session, readable }),
      );
      completeness.add(answer.completeness);
      return answer;
    } catch (error) {
      completeness.addLack();
      throw error;
    } finally {
      open.delete(controller);
    }
  };
  /** A table or a document that cannot be read is no answer either. */
  const orLack = async <Value>(value: Promise<Value>): Promise<Value> => {
    try {
      return await value;
    } catch (error) {
      completeness.addLack();
      throw error;
    }
  };
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
    annotations: async ({ table = null, from, to }) => {
      if (isVisitor) return { annotations: [], queries: [] };
      const timeOf = (time: typeof from): number | null =>
        time === undefined ? null : resolveTime(time, deps.nowMs());
      return annotationsSeenBy(person, { table, fromMs: timeOf(from), toMs: timeOf(to) }, deps);
    },
  };
}

const patient = <Asked extends { readonly timeoutMs?: number }>(asked: Asked): Asked => ({
  ...asked,
  timeoutMs: asked.timeoutMs ?? timeoutMs,
});

/** Of many answers: the smallest share of rows, and every leaf that was missing from any. */
class WorstCompleteness {
  #fraction = 1;
  /** null: the reader may not know how many there are. */
  #rows: { readonly answered: number; readonly expected: number } | null = {
    answered: 0,
    expected: 0,
  };
  #leaves = 0;
  #lack: Pick<Completeness, "known" | "reason"> = {};
  readonly #missing = new Set<string>();

  add({ fraction, rowsAnswered, rowsExpected, leaves, known, reason }: Completeness): void {
    this.#fraction = Math.min(this.#fraction, fraction);
    const rows = this.#rows;
    const isSecret = rows === null || rowsAnswered === undefined || rowsExpected === undefined;
    this.#rows = isSecret
      ? null
      : { answered: rows.answered + rowsAnswered, expected: rows.expected + rowsExpected };
    this.#leaves = Math.max(this.#leaves, leaves.total);
    for (const leaf of leaves.missing) this.#missing.add(leaf);
    if (known === false) this.#lack = { known, ...(reason !== undefined && { reason }) };
  }

  addLack(): void {
    this.#fraction = 0;
  }

  get worst(): Completeness {
    const missing = [...this.#missing].sort();
    const rows = this.#rows;
    const answered = Math.max(0, this.#leaves - missing.length);
    return {
      fraction: this.#fraction,
      ...(rows !== null && { rowsAnswered: rows.answered, rowsExpected: rows.expected }),
      leaves: { answered, total: this.#leaves, missing },
      ...this.#lack,
    };
  }
}
