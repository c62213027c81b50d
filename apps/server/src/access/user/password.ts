import { hash, verify } from "@node-rs/argon2";
import { quotaExceeded } from "../../base/limit/quotaExceeded.js";

const passwordBytesMin = 8;
const passwordBytesMax = 1_024;
/** Two of them take 38 MiB and two cores; more at once would slow queries. */
const runningMax = 2;
/** About two seconds of work. */
const waitingMax = 64;
/** argon2id as OWASP recommends it at least: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Of random bytes that are not kept: names that do not exist take as long as others. */
const unknownHash =
  "$argon2id$v=19$m=19456,t=2,p=1$RxmGbkBSpRMSRXvgnPikvQ$BpULIc6l4hN4JS1Nkcjx9wGlFpxL5+j3N8zIgUj1C7c";

/** What is wrong with a new password, as a sentence; null when it is fine. */
export function passwordFault(password: string): string | null {
  const bytes = Buffer.byteLength(password);
  if (bytes >= passwordBytesMin && bytes <= passwordBytesMax) return null;
  return `A password has ${passwordBytesMin} to ${passwordBytesMax} bytes; this one has ${bytes}.`;
}

/** Hashes and compares passwords, few at once. */
export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(normal(password), cost));
  }

  /** `null`: there is no password, which takes as long. */
  async isRight(passwordHash: string | null, password: string): Promise<boolean> {
    if (passwordFault(password) !== null) return false;
    const isEqual = await this.#inTurn(() => verify(passwordHash ?? unknownHash, normal(password)));
    return isEqual && passwordHash !== null;
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running >= runningMax) await this.#wait();
    else this.#running += 1;
    try {
      return await work();
    } finally {
      // The turn goes to the next one.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= waitingMax) {
      const detail = "Too many people sign in at this moment";
      throw quotaExceeded({ limitName: "signInsWaiting", detail, retryAfterMs: 1_000 });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Keyboards differ in how they compose the same character. */
const normal = (password: string): string => password.normalize("NFKC");
