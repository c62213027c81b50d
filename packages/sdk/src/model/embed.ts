import type { Filter } from "./filter.js";
import type { Query } from "./query.js";
import type { ColumnInfo } from "./schema.js";

/** The claim `aud` of an embed token. */
export const embedAudience = "hadal-embed";
/** Longest life of an embed token: a day. */
export const embedExpiresMsMax = 86_400_000;
export const embedExpiresMsDefault = 3_600_000;
export const embedViewsMax = 50;
/** Of `groupBy` and `hiddenColumns`. */
export const embedColumnsMax = 1_000;
export const embedHostsMax = 100;
/** A thousand years. */
export const embedRangeMsMax = 31_557_600_000_000;
/** The view without which an embed shows no raw rows. */
export const rowsView = "rows";

/** The body of `POST /embeds`, and the claim `hadal` of a host's token: what visitors may see, at most. */
export interface EmbedDraft {
  readonly title: string;
  readonly table: string;
  /** Ids of views, as in the page's address. Raw rows need `rows`. */
  readonly views: readonly string[];
  /** Only rows that pass all of these. */
  readonly filter?: readonly Filter[];
  readonly hiddenColumns?: readonly string[];
  /** Columns whose values are shown, as groups and in lists; `time`: time buckets. Default: none. */
  readonly groupBy?: readonly string[];
  /** Longest time range of a query, in milliseconds. */
  readonly rangeMsMax: number;
  /** Origins of the pages that may show it: `https://intranet.example`, `https://*.example.com`, `'self'`. Default: none. */
  readonly frameAncestors?: readonly string[];
  /** Life of a token; default {@link embedExpiresMsDefault}. A host's token has `exp` instead. */
  readonly expiresInMs?: number;
  /** What `/embed/{id}` shows first. */
  readonly query?: Query | null;
  readonly view?: string | null;
  /** Whether the link "Open in Hadal" is shown; default: where no one signs in. */
  readonly mayOpen?: boolean | null;
}

/** The same with nothing left out. */
export type EmbedScope = Required<EmbedDraft>;

/** An embed as lists have it. */
export interface EmbedInfo {
  readonly id: string;
  readonly title: string;
  readonly scope: EmbedScope;
  readonly createdMs: number;
  /** Name of the user or token; null without sign-in. */
  readonly createdBy: string | null;
  /** Null: it is not revoked. */
  readonly revokedMs: number | null;
}

/** A token of an embed, shown once. */
export interface EmbedToken {
  readonly id: string;
  readonly token: string;
  readonly expiresMs: number;
}

export interface CreatedEmbed extends EmbedToken {
  /** A `<hadal-chart>` snippet with the token. */
  readonly html: string;
}

/** A public key by which embed tokens are verified: a JWK with members of its own. */
export interface EmbedKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly alg: "EdDSA";
  readonly use: "sig";
  /** `server`: Hadal signs with it; `host`: another program does. */
  readonly source: "server" | "host";
  readonly name: string;
  /** Tables for which its tokens are valid; null: all that whoever added it may embed. */
  readonly tables: readonly string[] | null;
  /** Pages that its tokens may name; null: any. */
  readonly frameAncestors: readonly string[] | null;
  readonly createdMs: number;
  readonly createdBy: string | null;
  /** Of a key of the server that was replaced: until when its tokens are valid. */
  readonly endsMs: number | null;
}

/** The body of `POST /embeds/keys`: an Ed25519 public key as JWK, or as PEM in `publicKey`. */
export interface EmbedKeyDraft {
  readonly name?: string;
  /** The `kid` in the header of its tokens; default the key's `kid`, else its thumbprint (RFC 7638). */
  readonly kid?: string;
  readonly jwk?: { readonly kty: string; readonly crv?: string; readonly x?: string };
  readonly publicKey?: string;
  /** Only these tables; left out: all that whoever adds it may embed. */
  readonly tables?: readonly string[] | null;
  /** Only these pages, as in `POST /embeds`; left out: those that its tokens name. */
  readonly frameAncestors?: readonly string[] | null;
}

/** What a token allows, for the page that shows it. Each query is checked by the server again. */
export interface EmbedSelf {
  /** Null for a host's token. */
  readonly id: string | null;
  /** Of the key that its token is signed with: `/embed/{kid}` shows charts of a host's tokens. */
  readonly kid: string;
  readonly title: string;
  readonly table: string;
  readonly views: readonly string[];
  readonly groupBy: readonly string[];
  readonly hiddenColumns: readonly string[];
  readonly rangeMsMax: number;
  readonly query: Query | null;
  readonly view: string | null;
  readonly expiresMs: number;
  /** Whether to show the link "Open in Hadal". */
  readonly mayOpen: boolean;
  /** Of the table, without those that are hidden. */
  readonly columns: readonly Pick<ColumnInfo, "name" | "type" | "decimals" | "unit">[];
}
