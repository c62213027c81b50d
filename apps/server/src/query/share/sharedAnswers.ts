import { HadalError, type Result } from "@hadal/sdk";
import { orStopped } from "../../base/schedule/orStopped.js";
import { StopController, type StopSignal } from "../../base/schedule/stopController.js";
import { leaseMs } from "../cache/cacheTier.js";
import type { RunOptions } from "../run/queryDeps.js";

/** One run of a question, and all who wait for it. */
interface Flight {
  readonly table: string;
  /** When it was asked, on the clock that does not jump. */
  readonly askedAt: number;
  readonly stop: StopController;
  readonly answer: Promise<Result>;
  readonly watchers: Set<(partial: Result) => void>;
  /** The last partial answer: who comes later sees it at once. */
  partial: Result | null;
  waiting: number;
  readonly moment: Moment;
}

/** What a run's answer is of. */
interface Moment {
  /** How often the table had changed by then; null: it is still to come. */
  changes: number | null;
  /** Its range is known, and leaves are about to be asked. */
  isBound: boolean;
  /** The rows that its query is about; null: they are not named. */
  rows: { readonly then: string; readonly now: () => string | null } | null;
}

/** Which questions may be answered by one run, and when one was asked. */
export interface SharedQuestion {
  readonly key: string;
  readonly table: string;
  /** A run that was asked before this is too old, unless it has all rows of now. */
  readonly since: number;
  readonly askedAt: number;
  /** How often the table has changed so far. */
  readonly changes: () => number;
  /** Its range is the same whenever it is asked. */
  readonly isFixed?: boolean;
}

export interface SharedAnswer {
  readonly result: Result;
  /** Whether the run was started by another client. */
  readonly joined: boolean;
}

/**
 * Lets people who ask the same at the same time share one run, which is asked for with a lease: after {@link leaseMs} no one
 * joins it any more. Each may leave it; the run is stopped when the last one has left.
 */
export class SharedAnswers {
  readonly #flights = new Map<string, Flight>();

  /** `run` is called where no run can be joined. Rejects as the run does, or with `cancelled` when the signal says so. */
  async ask(
    { key, since, ...question }: SharedQuestion,
    run: (options: RunOptions) => Promise<Result>,
    { signal, onPartial, client }: RunOptions,
  ): Promise<SharedAnswer> {
    if (signal.aborted) throw new HadalError("cancelled");
    // A run without partial answers is joined by those alone who want none.
    const keys = onPartial === undefined ? [wholeKey(key), partialKey(key)] : [partialKey(key)];
    for (const known of keys) {
      const flight = this.#flights.get(known);
      if (flight === undefined || !isJoinable(flight, { ...question, since })) continue;
      return { result: await this.#wait(known, flight, signal, onPartial), joined: true };
    }
    const own = keys[0]!;
    const flight = this.#start(own, question, run, { onPartial, client });
    return { result: await this.#wait(own, flight, signal, onPartial), joined: false };
  }

  /** Whether a run is under way that was asked at `since` or later. */
  isRunning(key: string, since: number): boolean {
    return [wholeKey(key), partialKey(key)].some(
      (known) => (this.#flights.get(known)?.askedAt ?? Number.NEGATIVE_INFINITY) >= since,
    );
  }

  /** Of a table that is no more, or means something else now: who asks from here on starts again. */
  forget(table: string): void {
    for (const [key, flight] of this.#flights)
      if (flight.table === table) this.#flights.delete(key);
  }

  #start(
    key: string,
    { table, askedAt, changes }: Pick<SharedQuestion, "table" | "askedAt" | "changes">,
    run: (options: RunOptions) => Promise<Result>,
    { onPartial, client }: { onPartial: RunOptions["onPartial"]; client: string | undefined },
  ): Flight {
    const stop = new StopController();
    const watchers: Flight["watchers"] = new Set();
    const tell = (partial: Result): void => {
      flight.partial = partial;
      for (const watch of watchers) watch(partial);
    };
    const moment: Moment = { changes: null, isBound: false, rows: null };
    const answer = run({
      signal: stop.signal,
      onBegin: () => {
        Object.assign(moment, { changes: changes(), isBound: false, rows: null });
      },
      onBound: (now) => {
        const then = now();
        moment.isBound = true;
        moment.rows = then === null ? null : { then, now };
      },
      onWait: () => {
        moment.changes = null;
      },
      ...(client === undefined ? {} : { client }),
      ...(onPartial === undefined ? {} : { onPartial: tell }),
    }).finally(() => this.#end(key, flight));
    const flight: Flight = {
      ...{ table, askedAt, stop, answer, watchers },
      ...{ partial: null, waiting: 0, moment },
    };
    this.#flights.set(key, flight);
    return flight;
  }

  #end(key: string, flight: Flight): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }

  async #wait(
    key: string,
    flight: Flight,
    signal: StopSignal,
    onPartial: RunOptions["onPartial"],
  ): Promise<Result> {
    flight.waiting++;
    const watch = onPartial === undefined ? null : (partial: Result) => onPartial(partial);
    if (watch !== null) {
      flight.watchers.add(watch);
      if (flight.partial !== null) watch(flight.partial);
    }
    try {
      return await orStopped(flight.answer, signal);
    } finally {
      if (watch !== null) flight.watchers.delete(watch);
      flight.waiting--;
      if (flight.waiting === 0) {
        this.#end(key, flight);
        flight.stop.abort();
      }
    }
  }
}

const wholeKey = (key: string): string => `whole\n${key}`;
const partialKey = (key: string): string => `partial\n${key}`;

function isJoinable(
  flight: Flight,
  { since, askedAt, changes, isFixed = false }: Omit<SharedQuestion, "key">,
): boolean {
  const { moment } = flight;
  if (askedAt - flight.askedAt > leaseMs) return false;
  // It will ask leaves later than now, for the same range.
  if (isFixed && !moment.isBound) return true;
  return flight.askedAt >= since || hasAllRows(moment, changes());
}

/** Whether a run has all rows of now: the table has not changed since, or not where the question is about. */
const hasAllRows = ({ changes, rows }: Moment, changesNow: number): boolean =>
  changes === null || changes === changesNow || (rows !== null && rows.then === rows.now());
