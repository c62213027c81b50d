import { embedExpiresMsMax, HadalError } from "@hadal/sdk";
import type { Registry } from "../../registry/registry.js";
import { Watched } from "../copy/watched.js";
import {
  hasEnded,
  type KnownEmbed,
  type KnownEmbedKey,
  listEmbedRows,
  listKeyRows,
} from "./embedRows.js";
import { HostSet } from "./hostSource.js";

interface EmbedState {
  readonly embeds: readonly KnownEmbed[];
  readonly keys: readonly KnownEmbedKey[];
}

interface Known {
  readonly embeds: ReadonlyMap<string, KnownEmbed>;
  readonly keys: ReadonlyMap<string, KnownEmbedKey>;
  /** The newest first. */
  readonly serverKeys: readonly KnownEmbedKey[];
  /** Hosts that any token may name; null: a key whose tokens may name any. */
  readonly hosts: HostSet | null;
}

/** Which pages may show an embed in a frame, by the address of the frame. */
export interface EmbedHosts {
  readonly state: "valid" | "revoked" | "unknown";
  readonly frameAncestors: readonly string[];
}

/** Another process sees a new embed or key within this time; the second more is for times of tokens, which are rounded. */
const spreadMs = 3_000;

/** Embeds and keys, in memory. */
export class KnownEmbeds {
  readonly #nowMs: () => number;
  readonly #watched: Watched<Known>;

  private constructor(nowMs: () => number, watched: Watched<Known>) {
    this.#nowMs = nowMs;
    this.#watched = watched;
  }

  static async open(
    registry: Registry,
    nowMs: () => number,
    onChange: () => void,
  ): Promise<KnownEmbeds> {
    const warn = (text: string): void => registry.warn(text);
    const watched = await Watched.open<EmbedState, Known>(registry, {
      area: "embeds",
      read: async (database) => ({
        // Tokens of those that were revoked earlier have expired.
        embeds: await listEmbedRows(database, {
          ...{ revokedSinceMs: nowMs() - 2 * embedExpiresMsMax, warn },
        }),
        keys: await listKeyRows(database, { endedSinceMs: nowMs() - embedExpiresMsMax, warn }),
      }),
      use: knownOf,
      onChange,
    });
    return new KnownEmbeds(nowMs, watched);
  }

  /** Undefined where its tokens are not valid any more. Throws `registry-unavailable`. */
  key(kid: string): KnownEmbedKey | undefined {
    const key = this.anyKey(kid);
    return key === undefined || hasEnded(key, this.#nowMs()) ? undefined : key;
  }

  /** Also one that has ended, while there may be tokens that it signed. */
  anyKey(kid: string): KnownEmbedKey | undefined {
    return this.#watched.known.keys.get(kid);
  }

  /** With which the server signs; undefined: there is none yet. A new one is used when every process knows it. */
  signingKey(): KnownEmbedKey | undefined {
    const { serverKeys } = this.#watched.known;
    const knownSinceMs = this.#nowMs() - spreadMs;
    const usable = serverKeys.filter((key) => !hasEnded(key, this.#nowMs()));
    const known = usable.filter(({ createdMs }) => createdMs <= knownSinceMs);
    return known.find(({ endsMs }) => endsMs === null) ?? known[0] ?? usable[0];
  }

  /** Also one that was revoked. */
  embed(id: string): KnownEmbed | undefined {
    return this.#watched.known.embeds.get(id);
  }

  /** Undefined where its tokens are not valid any more. Throws `registry-unavailable`. */
  live(id: string, issuedMs: number): KnownEmbed | undefined {
    const embed = this.embed(id);
    if (embed !== undefined) return embed.revokedMs === null ? embed : undefined;
    if (issuedMs <= this.#nowMs() - spreadMs) return undefined;
    // Another process has just made it.
    const detail = "the embed is not known here yet";
    throw new HadalError("registry-unavailable", { detail });
  }

  /** By the id of an embed, or the `kid` of a host's key. */
  hostsOf(id: string): EmbedHosts {
    const embed = this.embed(id);
    if (embed !== undefined) {
      const { frameAncestors } = embed.scope;
      return { state: embed.revokedMs === null ? "valid" : "revoked", frameAncestors };
    }
    const key = this.key(id);
    if (key?.source !== "host") return { state: "unknown", frameAncestors: [] };
    // Which pages a host's tokens name is known when one comes: before that no page has a frame of it.
    return { state: "valid", frameAncestors: key.frameAncestors ?? [] };
  }

  /** Whether a token may name the host of a page: a browser asks that before it sends the token. */
  mayBeHost(origin: string): boolean {
    const { hosts } = this.#watched.known;
    return hosts === null || hosts.allows(origin);
  }
}

function knownOf({ embeds, keys }: EmbedState): Known {
  const hostKeys = keys.filter(({ source, endsMs }) => source === "host" && endsMs === null);
  const live = embeds.filter(({ revokedMs }) => revokedMs === null);
  const isAnyHost = hostKeys.some(({ frameAncestors }) => frameAncestors === null);
  const named = [
    ...live.flatMap(({ scope }) => scope.frameAncestors),
    ...hostKeys.flatMap(({ frameAncestors }) => frameAncestors ?? []),
  ];
  return {
    embeds: new Map(embeds.map((embed) => [embed.id, embed])),
    keys: new Map(keys.map((key) => [key.kid, key])),
    serverKeys: keys.filter(({ privateKey }) => privateKey !== null),
    hosts: isAnyHost ? null : new HostSet(named),
  };
}
