import { RateLimit } from "../../base/limit/rateLimit.js";
import type { UserLimits } from "../../base/limit/userLimits.js";
import { personOfClient } from "../../base/process/client.js";

/** A query that fails counts as if it had scanned at most so much. */
const rowsPerMs = 1_000_000;

export interface Scanned {
  /** Without the number of rows where the person may not know it. */
  readonly stats: { readonly rowsScanned?: number };
}

/** Limits the rows that each person's queries scan per minute (`userRowsPerMinute`). */
export class RowQuota {
  readonly #limit: RateLimit;
  readonly #now: () => number;

  constructor(
    { userRowsPerMinute: max }: Pick<UserLimits, "userRowsPerMinute">,
    now: () => number,
  ) {
    const what = "rows scanned per minute";
    const limitName = "userRowsPerMinute";
    this.#limit = new RateLimit({ limitName, what, max, intervalMs: 60_000 }, now);
    this.#now = now;
  }

  /** Counts the rows that a query is expected to scan while it runs, then those that it has scanned. */
  async run<Answer extends Scanned>(
    client: string,
    expectRows: () => number,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    // No client: a question of the server's own.
    if (this.#limit.isUnlimited || client === "") return work();
    const person = personOfClient(client);
    const rowsExpected = expectRows();
    this.#limit.take(person, rowsExpected);
    const startedAt = this.#now();
    let rowsScanned: number | undefined;
    try {
      const answer = await work();
      ({ rowsScanned } = answer.stats);
      return answer;
    } finally {
      rowsScanned ??= Math.min(rowsExpected, (this.#now() - startedAt) * rowsPerMs);
      this.#limit.spend(person, rowsScanned - rowsExpected);
    }
  }
}
