import { createLeafConnection } from "../../cluster/connectToLeaf.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";

/** How the links between machines prove who is at their ends. */
export interface LinkSecurity {
  readonly key: string;
  /** They are encrypted with the key, too. */
  readonly tls: boolean;
}

/** Connections to other members by address, opened when they are first needed and kept. */
export class MemberLinks {
  readonly #security: LinkSecurity;
  readonly #links = new Map<string, LeafConnection>();

  constructor(security: LinkSecurity) {
    this.#security = security;
  }

  to({ name, address }: { readonly name: string; readonly address: string }): LeafConnection {
    const known = this.#links.get(address);
    if (known !== undefined) return known;
    const { key, tls } = this.#security;
    const link = createLeafConnection({ id: name, key, tls, address: () => address });
    this.#links.set(address, link);
    return link;
  }

  /** Closes connections to addresses that no member has any more. */
  keepOnly(addresses: ReadonlySet<string>): void {
    for (const [address, link] of this.#links) {
      if (addresses.has(address)) continue;
      link.close();
      this.#links.delete(address);
    }
  }

  close(): void {
    this.keepOnly(new Set());
  }
}
