import { quotaExceeded } from "../../base/limit/quotaExceeded.js";
import { hashOf } from "../secret/secret.js";

/** The number of failures that are answered without a delay. */
const promptFailures = 4;
/** The answer to each later failure comes so late. */
const holdMs = 1_000;
/** After it further attempts are refused for so long, twice as long each time. */
const pauseMsMin = 1_000;
const pauseMsMax = 15_000;
/** An address that signed in by the name before waits no longer than this, whatever others do. */
const knownPauseMsMax = 1_000;
/** Without a failure for so long the name begins again. */
const forgetMs = 15 * 60_000;
/** One person's browsers and scripts; guesses at once are as many at most. */
const runningMax = 16;
/** A few hundred bytes each. */
export const keysMax = 10_000;
const addressesMax = 16;

/** One attempt to sign in; exactly one of its methods is called. */
export interface Attempt {
  /** Returns how long the answer has to wait. */
  failed(): number;
  succeeded(): void;
  /** It was not found out whether it was right. */
  abandoned(): void;
}

interface Attempts {
  failures: number;
  running: number;
  blockedUntilMs: number;
}

/**
 * Slows down the guessing of passwords, by name: whether the name exists makes no difference. Others are not slowed, nor is
 * the person of the name at an address that signed in before.
 */
export class SignInThrottle {
  readonly #nowMs: () => number;
  /** In the order of their last change. */
  readonly #attempts = new Map<string, Attempts>();
  /** Addresses that signed in, by the hash of the name. */
  readonly #known = new Map<string, Set<string>>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Throws `quota-exceeded` where it is too early. `name`: as names are compared. */
  begin(name: string, address: string): Attempt {
    // Of one length, however long the name that is tried.
    const nameKey = hashOf(name);
    const isKnown = this.#known.get(nameKey)?.has(address) === true;
    const key = isKnown ? `${nameKey} ${address}` : nameKey;
    const attempts = this.#of(key);
    this.#checkPause(attempts);
    attempts.running += 1;
    this.#keep(key, attempts);
    return {
      failed: () => {
        attempts.running -= 1;
        attempts.failures += 1;
        const waitMs = this.#pause(attempts, isKnown ? knownPauseMsMax : pauseMsMax);
        this.#keep(key, attempts);
        return waitMs;
      },
      succeeded: () => {
        attempts.running -= 1;
        attempts.failures = 0;
        attempts.blockedUntilMs = 0;
        this.#note(nameKey, address);
      },
      abandoned: () => {
        attempts.running -= 1;
      },
    };
  }

  /** Names with attempts that are remembered. */
  get size(): number {
    return this.#attempts.size;
  }

  #of(key: string): Attempts {
    const known = this.#attempts.get(key);
    const isOver = known?.running === 0 && this.#nowMs() > known.blockedUntilMs + forgetMs;
    return known === undefined || isOver ? { failures: 0, running: 0, blockedUntilMs: 0 } : known;
  }

  #checkPause({ failures, running, blockedUntilMs }: Attempts): void {
    const leftMs = blockedUntilMs - this.#nowMs();
    const runningAllowed = failures < promptFailures ? runningMax : 1;
    if (leftMs <= 0 && running < runningAllowed) return;
    const detail = "Too many attempts to sign in by this name";
    throw quotaExceeded({
      ...{ limitName: "signInFailures", detail },
      retryAfterMs: Math.max(leftMs, pauseMsMin),
    });
  }

  #pause(attempts: Attempts, longestMs: number): number {
    const beyond = attempts.failures - promptFailures - 1;
    // The time of the last failure is kept in any case: the name begins again after it.
    attempts.blockedUntilMs = this.#nowMs();
    if (beyond < 0) return 0;
    const pauseMs = Math.min(pauseMsMin * 2 ** Math.min(beyond, 20), longestMs);
    attempts.blockedUntilMs += holdMs + pauseMs;
    return holdMs;
  }

  /** As the last changed one; the one that was changed first goes when there are too many. */
  #keep(key: string, attempts: Attempts): void {
    this.#attempts.delete(key);
    this.#attempts.set(key, attempts);
    if (this.#attempts.size > keysMax) removeFirst(this.#attempts);
  }

  #note(nameKey: string, address: string): void {
    const addresses = this.#known.get(nameKey) ?? new Set();
    addresses.delete(address);
    addresses.add(address);
    if (addresses.size > addressesMax) removeFirst(addresses);
    this.#known.delete(nameKey);
    this.#known.set(nameKey, addresses);
    if (this.#known.size > keysMax) removeFirst(this.#known);
  }
}

function removeFirst(collection: Map<string, unknown> | Set<string>): void {
  const [first] = collection.keys();
  if (first !== undefined) collection.delete(first);
}
