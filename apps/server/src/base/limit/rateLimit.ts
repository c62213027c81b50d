import { quotaExceeded } from "./quotaExceeded.js";

export interface RateLimitOptions {
  readonly limitName: string;
  /** What is counted, with the time, for the refusal: "rows scanned per minute". */
  readonly what: string;
  /** 0: no limit. */
  readonly max: number;
  readonly intervalMs: number;
}

interface Account {
  /** What is left; negative after a request that took more than was left. */
  left: number;
  atMs: number;
}

/** Of more accounts than this, those that are full again are forgotten. */
const accountsKept = 10_000;

/**
 * Limits an amount per time of each client. An allowance refills evenly up to `max`. A request may take more than is left
 * of it, so that no request is too large for ever; the next one is refused until the allowance is above zero.
 */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();
  #forgetAbove = accountsKept;

  /** `now`: monotonic milliseconds. */
  constructor(options: RateLimitOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  get isUnlimited(): boolean {
    return this.#options.max === 0;
  }

  /** Throws `quota-exceeded` when nothing is left. */
  check(client: string): void {
    if (this.isUnlimited) return;
    const { left } = this.#accountOf(client);
    if (left > 0) return;
    const { limitName, max, what, intervalMs } = this.#options;
    const detail = `At most ${max} ${what} for each user, token or unknown address`;
    const retryAfterMs = Math.ceil(((1 - left) / max) * intervalMs);
    throw quotaExceeded({ limitName, detail, retryAfterMs });
  }

  /** The same, then takes an amount. */
  take(client: string, amount: number): void {
    this.check(client);
    this.spend(client, amount);
  }

  /** Takes an amount, however much is left; a negative one is given back. */
  spend(client: string, amount: number): void {
    const { max } = this.#options;
    if (max === 0) return;
    const account = this.#accountOf(client);
    account.left = Math.min(max, account.left - amount);
    this.#accounts.set(client, account);
    if (this.#accounts.size > this.#forgetAbove) this.#forgetFull();
  }

  /** Brought up to now. */
  #accountOf(client: string): Account {
    const { max, intervalMs } = this.#options;
    const atMs = this.#now();
    const account = this.#accounts.get(client);
    if (account === undefined) return { left: max, atMs };
    account.left = Math.min(max, account.left + ((atMs - account.atMs) / intervalMs) * max);
    account.atMs = atMs;
    return account;
  }

  #forgetFull(): void {
    const { max } = this.#options;
    for (const client of [...this.#accounts.keys()])
      if (this.#accountOf(client).left >= max) this.#accounts.delete(client);
    this.#forgetAbove = Math.max(accountsKept, 2 * this.#accounts.size);
  }
}
