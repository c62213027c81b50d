import type { Role } from "@hadal/sdk";
import type { Registry } from "../../registry/registry.js";
import { Watched } from "../copy/watched.js";
import { foldName } from "../foldName.js";
import { groupsOf, isDisabled, listUserRows } from "./userRows.js";

/** What requests need of a user; without the hash of the password, since copies are also kept in a file. */
export interface KnownUser {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly groups: readonly string[];
  readonly isDisabled: boolean;
}

/** All users, in memory. */
export class KnownUsers {
  readonly #watched: Watched<Indexed>;

  private constructor(watched: Watched<Indexed>) {
    this.#watched = watched;
  }

  static async open(registry: Registry, onChange: () => void): Promise<KnownUsers> {
    const watched = await Watched.open<readonly KnownUser[], Indexed>(registry, {
      area: "people",
      read: async (database) => {
        const rows = await listUserRows(database, ({ message }) => registry.warn(message));
        return rows.map((row) => ({
          ...{ id: row.id, name: row.name, role: row.role as Role, groups: groupsOf(row) },
          isDisabled: isDisabled(row),
        }));
      },
      use: (users) => ({
        byId: new Map(users.map((user) => [user.id, user])),
        byName: new Map(users.map((user) => [foldName(user.name), user])),
      }),
      onChange,
    });
    return new KnownUsers(watched);
  }

  /** Undefined where there is none that may do something. Throws `registry-unavailable`. */
  byId(id: string): KnownUser | undefined {
    return enabled(this.#watched.known.byId.get(id));
  }

  byName(name: string): KnownUser | undefined {
    return enabled(this.#watched.known.byName.get(foldName(name)));
  }

  isDisabled(name: string): boolean {
    return this.#watched.known.byName.get(foldName(name))?.isDisabled === true;
  }
}

interface Indexed {
  readonly byId: ReadonlyMap<string, KnownUser>;
  readonly byName: ReadonlyMap<string, KnownUser>;
}

const enabled = (user: KnownUser | undefined): KnownUser | undefined =>
  user?.isDisabled === false ? user : undefined;
