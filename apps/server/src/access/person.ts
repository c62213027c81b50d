import { type AuthMode, type Permission, permissions, type Role } from "@hadal/sdk";
import { everything, type Readable } from "../base/access/readable.js";
import type { EmbedPass } from "./embed/embedPass.js";

/** Who sends a request, as far as it was checked. */
export interface Person {
  /** `user:<id>`, `token:<id>`, `embed:<id>` or `anyone`; limits and fair turns go by it. */
  readonly key: string;
  readonly kind: "anyone" | "user" | "token" | "embed";
  readonly id: string | null;
  /** For lists and the audit log; null where no one signs in. */
  readonly name: string | null;
  /** Null for a token or an embed. */
  readonly role: Role | null;
  readonly groups: readonly string[];
  readonly permissions: ReadonlySet<Permission>;
  readonly readable: Readable;
  /** Whether rows may be sent to the table; `ingest` is among the permissions. */
  mayIngest(table: string): boolean;
  /** What embeds of this person may show; `embed` is among the permissions. */
  readonly embeddable: Readable;
  /** Of a visitor of an embed: what its token says. */
  readonly pass?: EmbedPass;
  /** For `GET /me`. */
  readonly auth: AuthMode;
}

/** Everyone who can reach a server without sign-in: it listens on loopback. */
export const anyone: Person = {
  ...{ key: "anyone", kind: "anyone", id: null, name: null, role: "admin", groups: [] },
  permissions: new Set(permissions),
  readable: everything,
  embeddable: everything,
  mayIngest: () => true,
  auth: "none",
};
