import { HadalError } from "@hadal/sdk";
import { AnswerSession } from "../../query/answerSession.js";
import { clientOfRequester, type Requester } from "./requester.js";

export const sessionHeader = "x-hadal-session";
/** A minute of a thousand new clients a second, at some 200 bytes each. */
const sessionsMax = 60_000;

/** Sessions by person and the name that clients choose; the least recently used go first. */
export class AnswerSessions {
  readonly #sessions = new Map<string, AnswerSession>();

  /** The session of that name; a new one without a name. Throws `bad-request` for an invalid name. */
  of(
    name: string | readonly string[] | undefined | null,
    requester: Requester,
    nameless = "",
  ): AnswerSession {
    if (name === undefined || name === null)
      return new AnswerSession(clientOfRequester(requester, nameless));
    if (typeof name !== "string" || !/^[\w.:-]{1,100}$/.test(name)) {
      const detail = `${sessionHeader} has 1 to 100 letters, digits, and _ . : -`;
      throw new HadalError("bad-request", { detail });
    }
    const key = `${requester.person.key} ${name}`;
    const session =
      this.#sessions.get(key) ?? new AnswerSession(clientOfRequester(requester, name));
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= sessionsMax) break;
      this.#sessions.delete(oldest);
    }
    return session;
  }
}
