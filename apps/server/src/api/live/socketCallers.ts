import { setTimeout } from "node:timers/promises";
import { signedOutCode } from "@hadal/sdk";
import type { WebSocket } from "ws";
import type { Access } from "../../access/access.js";
import type { Credentials } from "../../access/credentials.js";
import { embedEnded } from "../../access/embed/embedPass.js";
import type { Person } from "../../access/person.js";

/** A socket closes by then at the latest, whether its peer has read why or not. */
const refusalMsMax = 1_000;

/** At most 123 bytes, as the reason of a close has. */
const sessionEnded = "The session has ended: sign in again.";

/** Who opened a socket, and by what that was known. */
export interface SocketCaller {
  readonly person: Person;
  readonly credentials: Credentials;
  /** Answers all that is open with that; resolves when the answers have left. */
  refuse(error: unknown): Promise<void>;
}

/** The open sockets with who opened them; each closes when that person is not known any more or has other rights. */
export class SocketCallers {
  readonly #callers = new Map<WebSocket, SocketCaller>();
  readonly #identify: (credentials: Credentials) => Promise<Person>;
  readonly stop: () => void;

  /** `identify` rejects for whoever may not open a socket. */
  constructor(access: Access, identify: (credentials: Credentials) => Promise<Person>) {
    this.#identify = identify;
    this.stop = access.onChange(() => {
      for (const [socket, caller] of this.#callers) {
        if (!access.isStillValid(caller.person)) void this.#close(socket, caller);
      }
    });
  }

  add(socket: WebSocket, caller: SocketCaller): void {
    this.#callers.set(socket, caller);
    socket.on("close", () => this.#callers.delete(socket));
  }

  async #close(socket: WebSocket, caller: SocketCaller): Promise<void> {
    const { person, credentials, refuse } = caller;
    this.#callers.delete(socket);
    try {
      await this.#identify(credentials);
      // The client connects again, and has the new rights.
      socket.close(1012, "what you may do has changed");
    } catch (error) {
      // A reader that takes nothing does not keep the socket open.
      await Promise.race([refuse(error), setTimeout(refusalMsMax, undefined, { ref: false })]);
      socket.close(signedOutCode, person.kind === "embed" ? embedEnded : sessionEnded);
    }
  }
}
