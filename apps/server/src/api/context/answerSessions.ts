import { HadalError } from "@hadal/sdk";
import { clientOf } from "../../base/process/client.js";
import { AnswerSession } from "../../query/answerSession.js";

export const sessionHeader = "x-hadal-session";
/** A minute of a thousand new clients a second, at some 200 bytes each. */
const sessionsMax = 60_000;

/** Sessions of clients by the names that they give themselves; those that were silent longest go first. */
export class AnswerSessions {
  readonly #sessions = new Map<string, AnswerSession>();

  /** Without a name each is a session of its own, of the client who is called so. Throws `bad-request` for a name that is none. */
  of(
    name: string | readonly string[] | undefined | null,
    address: string,
    nameless = "",
  ): AnswerSession {
    if (name === undefined || name === null) return new AnswerSession(clientOf(address, nameless));
    if (typeof name !== "string" || !/^[\w.:-]{1,100}$/.test(name)) {
      const detail = `${sessionHeader} has 1 to 100 letters, digits, and _ . : -`;
      throw new HadalError("bad-request", { detail });
    }
    const session = this.#sessions.get(name) ?? new AnswerSession(clientOf(address, name));
    this.#sessions.delete(name);
    this.#sessions.set(name, session);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= sessionsMax) break;
      this.#sessions.delete(oldest);
    }
    return session;
  }
}
