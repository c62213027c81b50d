import { HadalError } from "@hadal/sdk";
import { quotaExceeded } from "../../base/limit/quotaExceeded.js";

export interface ClientCapOptions {
  /** The name of the things in the refusal. */
  readonly what: string;
  /** The name of the setting. */
  readonly limitName: string;
  /** 0: no limit. */
  readonly max: number;
  /** `address`: refuses with `overloaded`. `person` (a user, a token or an unknown address): with `quota-exceeded`. */
  readonly of: "address" | "person";
}

/** When one of the things may have ended. */
const retryAfterMs = 1_000;

/** Limits how many of one thing each client has at once. */
export class ClientCap {
  readonly #options: ClientCapOptions;
  readonly #counts = new Map<string, number>();
  #refused = 0;

  constructor(options: ClientCapOptions) {
    this.#options = options;
  }

  get limitName(): string {
    return this.#options.limitName;
  }

  get max(): number {
    return this.#options.max;
  }

  /** Of all clients together. */
  get count(): number {
    let sum = 0;
    for (const count of this.#counts.values()) sum += count;
    return sum;
  }

  get refused(): number {
    return this.#refused;
  }

  /** Takes one more and returns what gives it back, once. Throws when the client has as many as it may. */
  take(client: string): () => void {
    const count = this.#counts.get(client) ?? 0;
    const { max } = this.#options;
    if (max > 0 && count >= max) {
      this.#refused++;
      throw this.#refusal(client);
    }
    this.#counts.set(client, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = this.#counts.get(client)! - 1;
      if (left === 0) this.#counts.delete(client);
      else this.#counts.set(client, left);
    };
  }

  #refusal(client: string): HadalError {
    const { what, limitName, max, of } = this.#options;
    if (of === "address") {
      const detail = `${client} has ${max} ${what} already (${limitName}).`;
      return new HadalError("overloaded", { detail });
    }
    const detail = `At most ${max} ${what} at once for each user, token or unknown address`;
    return quotaExceeded({ limitName, detail, retryAfterMs });
  }
}
