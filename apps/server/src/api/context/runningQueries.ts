import { HadalError, type Query, queryTextMax, type StatusInfo } from "@hadal/sdk";
import { printSql } from "@hadal/sdk/sql";
import type { Person } from "../../access/person.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { RequesterCap } from "./clientCaps.js";
import type { Requester } from "./requester.js";

/** An AbortController is one too. */
interface Stoppable {
  readonly signal: StopSignal;
  abort(): void;
}

interface RunningQuery {
  readonly id: string;
  readonly person: Person;
  readonly query: unknown;
  readonly startMs: number;
  readonly controller: Stoppable;
  /** Why the server ended it. */
  ended: HadalError | null;
}

/** The queries that run now, by who asked and an id of that person's choice, so that each can be listed and cancelled. */
export class RunningQueries {
  readonly #nowMs: () => number;
  readonly #ofRequester: RequesterCap;
  readonly #running = new Map<string, RunningQuery>();

  /** `ofRequester`: how many each address and each person may have. */
  constructor(nowMs: () => number, ofRequester: RequesterCap) {
    this.#nowMs = nowMs;
    this.#ofRequester = ofRequester;
  }

  /** Runs a query of a client under an id until it is answered, fails or is cancelled. */
  async run<Answer>(
    id: string,
    query: unknown,
    { requester, controller }: { readonly requester: Requester; readonly controller: Stoppable },
    ask: (signal: StopSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const key = keyOf(id, requester.person);
    if (this.#running.has(key)) {
      throw new HadalError("bad-request", {
        detail: `A query ${JSON.stringify(id)} is running already.`,
      });
    }
    const release = this.#ofRequester.take(requester);
    const { person } = requester;
    const running: RunningQuery = {
      ...{ id, person, query, startMs: this.#nowMs(), controller, ended: null },
    };
    this.#running.set(key, running);
    try {
      return await ask(controller.signal);
    } catch (error) {
      if (running.ended !== null) throw running.ended;
      // Whatever error the engine ended with, a cancelled query reports `cancelled`.
      if (controller.signal.aborted && !(error instanceof HadalError))
        throw new HadalError("cancelled");
      throw error;
    } finally {
      release();
      this.#running.delete(key);
    }
  }

  get count(): number {
    return this.#running.size;
  }

  /** False when no such query of the person runs; who operates the server cancels those of others, too. */
  cancel(id: string, person: Person): boolean {
    const own = this.#running.get(keyOf(id, person));
    const found = own ?? this.#visibleTo(person).find((running) => running.id === id);
    found?.controller.abort();
    return found !== undefined;
  }

  /** Ends the queries of those who may not ask any more; `why` is null for whoever may. */
  endOf(why: (person: Person) => HadalError | null): void {
    for (const running of this.#running.values()) {
      running.ended ??= why(running.person);
      if (running.ended !== null) running.controller.abort();
    }
  }

  cancelAll(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }

  list(person: Person): StatusInfo["queries"] {
    const nowMs = this.#nowMs();
    return this.#visibleTo(person).map(({ id, query, startMs }) => ({
      id,
      table: tableOf(query),
      text: textOf(query),
      elapsedMs: Math.round(nowMs - startMs),
    }));
  }

  #visibleTo({ key, permissions }: Person): readonly RunningQuery[] {
    const all = [...this.#running.values()];
    return permissions.has("operate") ? all : all.filter(({ person }) => person.key === key);
  }
}

const keyOf = (id: string, { key }: Person): string => `${key} ${id}`;

/** The query to show: as SQL where that is possible, else as it was sent. */
function textOf(query: unknown): string {
  try {
    return printSql(query as Query).slice(0, queryTextMax);
  } catch {
    // It was not checked yet, or is beyond SQL.
    return JSON.stringify(query, bigintAsText)?.slice(0, queryTextMax) ?? "";
  }
}

const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === "bigint" ? String(value) : value;

/** The query is not checked yet: its values may have any type. */
function tableOf(query: unknown): string {
  const table = (query as { table?: unknown } | null)?.table;
  return typeof table === "string" ? table : "";
}
