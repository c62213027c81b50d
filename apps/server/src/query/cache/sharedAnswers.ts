import { HadalError, type Result } from "@hadal/sdk";
import { orStopped } from "../../base/schedule/orStopped.js";
import { StopController, type StopSignal } from "../../base/schedule/stopController.js";
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
}

export interface SharedAnswer {
  readonly result: Result;
  /** Whether the run was started by another client. */
  readonly joined: boolean;
}

/**
 * Lets people who ask the same at the same time share one run. Each may leave it; the run is stopped when the last one
 * has left.
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
    // Partial answers cost the run time: who wants none does not join one that makes them, nor the other way round.
    const flightKey = `${onPartial === undefined ? "whole" : "partial"}\n${key}`;
    const known = this.#flights.get(flightKey);
    const joined =
      known !== undefined && (known.askedAt >= since || hasAllOf(known.moment, question.changes()));
    const flight = joined ? known : this.#start(flightKey, question, run, { onPartial, client });
    const result = await this.#wait(flightKey, flight, signal, onPartial);
    return { result, joined };
  }

  /** Of a table that is no more, or means something else now: who asks from here on starts again. */
  forget(table: string): void {
    for (const [key, flight] of this.#flights)
      if (flight.table === table) this.#flights.delete(key);
  }

  #start(
    key: string,
    { table, askedAt, changes }: Omit<SharedQuestion, "key" | "since">,
    run: (options: RunOptions) => Promise<Result>,
    { onPartial, client }: { onPartial: RunOptions["onPartial"]; client: string | undefined },
  ): Flight {
    const stop = new StopController();
    const watchers: Flight["watchers"] = new Set();
    const tell = (partial: Result): void => {
      flight.partial = partial;
      for (const watch of watchers) watch(partial);
    };
    const moment: Moment = { changes: null };
    const answer = run({
      signal: stop.signal,
      onBegin: () => {
        moment.changes = changes();
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

/** Whether a run has all rows of a moment when the table has changed so often. */
const hasAllOf = (moment: Moment, changes: number): boolean =>
  moment.changes === null || moment.changes === changes;
