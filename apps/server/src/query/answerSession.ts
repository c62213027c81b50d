import type { AskOptions } from "./bind/askOptions.js";

/** The moments of one client's answers: no later one may be of an earlier moment. */
export class AnswerSession {
  #newestAsOf = Number.NEGATIVE_INFINITY;
  readonly #client: string;

  /** `client`: who asks, where queries have to wait for their turns. */
  constructor(client = "") {
    this.#client = client;
  }

  /** The moment of the newest answer that was given. */
  get newestAsOf(): number {
    return this.#newestAsOf;
  }

  /** Runs a question whose answer is of the moment `floor` or later; partial answers are given too. */
  async ask<Answer extends { readonly asOf: number }>(
    options: AskOptions<Answer>,
    run: (options: AskOptions<Answer>) => Promise<Answer>,
    floor = this.#newestAsOf,
  ): Promise<Answer> {
    const { onPartial, signal } = options;
    const given: AskOptions<Answer> = {
      ...{ signal, client: this.#client },
      ...(onPartial && { onPartial: (partial) => onPartial(this.give(partial, floor)) }),
    };
    return this.give(await run(given), floor);
  }

  /**
   * Notes an answer that is given; `floor`: the moment of the session's last answer when it was asked. A run that began after
   * that has all rows of then, whatever the wall clock did since: it is no older.
   */
  give<Answer extends { readonly asOf: number }>(answer: Answer, floor: number): Answer {
    const given = answer.asOf < floor ? { ...answer, asOf: floor } : answer;
    this.#newestAsOf = Math.max(this.#newestAsOf, given.asOf);
    return given;
  }
}
