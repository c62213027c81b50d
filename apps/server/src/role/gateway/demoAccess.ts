import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Credentials } from "../../access/credentials.js";
import type { Person } from "../../access/person.js";
import { everything } from "../../base/access/readable.js";

/** The demo writes its table with a token that is valid while this process runs and is nowhere on the disk. */
export class DemoAccess {
  readonly token = `hdl_${randomBytes(32).toString("base64url")}`;
  readonly #hash = sha256(this.token);
  readonly #person: Person;

  constructor(table: string) {
    this.#person = {
      ...{ key: "token:demo", kind: "token", id: "demo", name: "demo", role: null, groups: [] },
      permissions: new Set(["query", "ingest"]),
      readable: everything,
      embeddable: { of: () => null, key: "nothing" },
      mayIngest: (name) => name === table,
      auth: "users",
    };
  }

  /** Null: the token is not the demo's. */
  identify({ token }: Pick<Credentials, "token">): Person | null {
    return token !== null && timingSafeEqual(sha256(token), this.#hash) ? this.#person : null;
  }
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
