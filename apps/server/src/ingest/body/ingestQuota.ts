import { RateLimit } from "../../base/limit/rateLimit.js";
import type { UserLimits } from "../../base/limit/userLimits.js";
import { personOfClient } from "../../base/process/client.js";

type IngestRates = Pick<UserLimits, "userIngestRows" | "userIngestBytes">;

const intervalMs = 1_000;

/**
 * Limits the rows and bytes that each person sends per second. A send is stored whole or refused: what was stored before
 * stays, and a refused send may come again.
 */
export class IngestQuota {
  readonly #rows: RateLimit;
  readonly #bytes: RateLimit;

  constructor({ userIngestRows, userIngestBytes }: IngestRates, now: () => number) {
    this.#rows = new RateLimit(
      {
        ...{ limitName: "userIngestRows", max: userIngestRows, intervalMs },
        what: "rows sent per second",
      },
      now,
    );
    this.#bytes = new RateLimit(
      {
        ...{ limitName: "userIngestBytes", max: userIngestBytes, intervalMs },
        what: "bytes sent per second",
      },
      now,
    );
  }

  /**
   * Counts the bytes of a body as it travels, and returns it. Throws `quota-exceeded` before it is read where its sender
   * may send nothing now.
   */
  enter(
    client: string,
    body: AsyncIterable<Uint8Array>,
    contentLength: number | undefined,
  ): AsyncIterable<Uint8Array> {
    const person = personOfClient(client);
    this.#rows.check(person);
    this.#bytes.take(person, contentLength ?? 0);
    if (this.#bytes.isUnlimited || contentLength !== undefined) return body;
    return this.#counted(person, body);
  }

  /** Counts rows that are about to be stored. */
  takeRows(client: string, rowCount: number): void {
    if (rowCount > 0) this.#rows.take(personOfClient(client), rowCount);
  }

  async *#counted(person: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of body) {
      this.#bytes.spend(person, bytes.length);
      yield bytes;
    }
  }
}
