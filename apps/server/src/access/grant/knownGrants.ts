import type { Grant } from "@hadal/sdk";
import type { Registry } from "../../registry/registry.js";
import { Watched } from "../copy/watched.js";
import { foldName } from "../foldName.js";
import { readGrants } from "./grantRows.js";

/** A user or a token, as grants name it. */
export interface Grantee {
  readonly kind: "user" | "token";
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** Every user is in it. */
const everyone = "everyone";

/** All grants, in memory. */
export class KnownGrants {
  readonly #watched: Watched<readonly Grant[] | null>;

  private constructor(watched: Watched<readonly Grant[] | null>) {
    this.#watched = watched;
  }

  static async open(registry: Registry, onChange: () => void): Promise<KnownGrants> {
    const watched = await Watched.open<
      { grants: readonly Grant[] | null },
      readonly Grant[] | null
    >(registry, {
      area: "grants",
      read: async (database) => {
        const grants = await readGrants(database);
        if (grants === null)
          registry.warn(
            "the grants are damaged: only admins read tables until they are written again",
          );
        return { grants };
      },
      use: ({ grants }) => grants,
      onChange,
    });
    return new KnownGrants(watched);
  }

  /** Those that name the person; null where all are damaged. Throws `registry-unavailable`. */
  of(grantee: Grantee): readonly Grant[] | null {
    return this.#watched.known?.filter((grant) => this.#isFor(grant, grantee)) ?? null;
  }

  #isFor({ user, group, token }: Grant, { kind, id, name, groups }: Grantee): boolean {
    if (kind === "token") return token === id || token === name;
    if (user !== undefined) return user === id || foldName(user) === foldName(name);
    return group !== undefined && (group === everyone || groups.includes(group));
  }
}
