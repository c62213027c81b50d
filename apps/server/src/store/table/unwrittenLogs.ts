import type { LogPosition } from "../../base/copy/copySource.js";
import type { OpenGeneration } from "./openGeneration.js";
import type { TableSegments } from "./tableSegments.js";

interface UnwrittenLog {
  /** 0: it has failed, or there is none. */
  readonly endBytes: number;
  readonly givenUp: ReadonlySet<string>;
}

/** Whole logs of sealed rows, by generation, until their segments have files. */
export class UnwrittenLogs {
  readonly #logs = new Map<number, UnwrittenLog>();
  readonly #sealed: Pick<TableSegments, "unwritten">;

  constructor(sealed: Pick<TableSegments, "unwritten">) {
    this.#sealed = sealed;
  }

  /** The rows of a generation are sealed. */
  note({ number, log, closedAtBytes, givenUp }: OpenGeneration): void {
    this.#logs.set(number, { endBytes: log?.endBytes ?? closedAtBytes, givenUp });
  }

  list(): readonly LogPosition[] {
    return [...this.#left()].flatMap(([generation, { endBytes }]) =>
      endBytes > 0 ? [{ generation, endBytes }] : [],
    );
  }

  /** Whether one has rows of the unit with this key that were given up. */
  hasGivenUp(key: string): boolean {
    return [...this.#left().values()].some(({ givenUp }) => givenUp.has(key));
  }

  #left(): ReadonlyMap<number, UnwrittenLog> {
    const unwritten = new Set(this.#sealed.unwritten);
    for (const generation of this.#logs.keys())
      if (!unwritten.has(generation)) this.#logs.delete(generation);
    return this.#logs;
  }
}
