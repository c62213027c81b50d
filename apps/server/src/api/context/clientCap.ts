import { HadalError } from "@hadal/sdk";

/** So many of one thing each client may have at once; a client is an address. */
export class ClientCap {
  readonly #what: string;
  readonly #counts = new Map<string, number>();
  #refused = 0;

  /** `what`: as the refusal calls them. `limitName`: as the setting is called. */
  constructor(
    what: string,
    readonly limitName: string,
    readonly max: number,
  ) {
    this.#what = what;
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

  /** Takes one more and returns what gives it back, once. Throws `overloaded` when the client has as many as it may. */
  take(client: string): () => void {
    const count = this.#counts.get(client) ?? 0;
    if (count >= this.max) {
      this.#refused++;
      const detail = `${client} has ${this.max} ${this.#what} already (${this.limitName}).`;
      throw new HadalError("overloaded", { detail });
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
}
