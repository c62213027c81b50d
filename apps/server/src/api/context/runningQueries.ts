import { HadalError, type Query, queryTextMax, type StatusInfo } from "@hadal/sdk";
import { printSql } from "@hadal/sdk/sql";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { ClientCap } from "./clientCap.js";

/** An AbortController is one too. */
interface Stoppable {
  readonly signal: StopSignal;
  abort(): void;
}

interface RunningQuery {
  readonly query: unknown;
  readonly startMs: number;
  readonly controller: Stoppable;
}

/** The queries that run now, by id, so that each can be listed and cancelled. */
export class RunningQueries {
  readonly #nowMs: () => number;
  readonly #ofClient: ClientCap;
  readonly #running = new Map<string, RunningQuery>();

  /** `ofClient`: how many each client may have. */
  constructor(nowMs: () => number, ofClient: ClientCap) {
    this.#nowMs = nowMs;
    this.#ofClient = ofClient;
  }

  /** Runs a query of a client under an id until it is answered, fails or is cancelled. */
  async run<Answer>(
    id: string,
    query: unknown,
    { client, controller }: { readonly client: string; readonly controller: Stoppable },
    ask: (signal: StopSignal) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.#running.has(id)) {
      throw new HadalError("bad-request", {
        detail: `A query ${JSON.stringify(id)} is running already.`,
      });
    }
    const release = this.#ofClient.take(client);
    this.#running.set(id, { query, startMs: this.#nowMs(), controller });
    try {
      return await ask(controller.signal);
    } catch (error) {
      // Whatever error the engine ended with, a cancelled query reports `cancelled`.
      if (controller.signal.aborted && !(error instanceof HadalError))
        throw new HadalError("cancelled");
      throw error;
    } finally {
      release();
      this.#running.delete(id);
    }
  }

  /** False when no such query runs. */
  cancel(id: string): boolean {
    const found = this.#running.get(id);
    found?.controller.abort();
    return found !== undefined;
  }

  cancelAll(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }

  list(): StatusInfo["queries"] {
    const nowMs = this.#nowMs();
    return [...this.#running].map(([id, { query, startMs }]) => ({
      id,
      table: tableOf(query),
      text: textOf(query),
      elapsedMs: Math.round(nowMs - startMs),
    }));
  }
}

/** The question for people: SQL where it can be said so, else as it was sent. */
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

/** What has not been checked yet may be anything. */
function tableOf(query: unknown): string {
  const table = (query as { table?: unknown } | null)?.table;
  return typeof table === "string" ? table : "";
}
