import type {
  CreatedEmbed,
  EmbedDraft,
  EmbedInfo,
  EmbedKey,
  EmbedKeyDraft,
  EmbedSelf,
  EmbedToken,
} from "../model/embed.js";
import type {
  EmbedImage,
  EmbedImageDraft,
  EmbedImageFormat,
  EmbedImageUrl,
} from "../model/picture.js";
import { printQuery } from "../wire/printQuery.js";
import { routes } from "../wire/routes.js";
import type { Http } from "./http.js";
import { jsonRequest, printParameters } from "./requests.js";

/** Charts that other pages show, and the keys that sign their tokens. */
export interface EmbedsClient {
  /** Only this answer has the token. */
  create(draft: EmbedDraft): Promise<CreatedEmbed>;
  /** One's own, of admins all; the newest first. */
  list(): Promise<readonly EmbedInfo[]>;
  /** Its tokens are refused within five seconds. */
  revoke(id: string): Promise<void>;
  /** A new token of an embed that exists. */
  token(id: string): Promise<EmbedToken>;
  /** Public keys: those of the server, and of hosts that sign tokens themselves. */
  keys(): Promise<readonly EmbedKey[]>;
  addKey(draft: EmbedKeyDraft): Promise<EmbedKey>;
  /** Tokens that it signed are refused within five seconds. */
  removeKey(kid: string): Promise<void>;
  /** The server signs with a new key; tokens of the one before are valid until they expire. */
  rotateKey(): Promise<EmbedKey>;
  /** With the token of that embed: a picture of what the token allows. */
  image(
    id: string,
    image?: EmbedImage & { readonly format?: EmbedImageFormat },
  ): Promise<Uint8Array>;
  /** An address for mail and chat that shows one picture, until it expires or the embed is revoked. */
  imageUrl(id: string, draft?: EmbedImageDraft): Promise<EmbedImageUrl>;
  /** With an embed token: what it allows. */
  self(): Promise<EmbedSelf>;
}

export function createEmbeds(http: Http): EmbedsClient {
  const ask = <Reply>(path: string, init?: RequestInit) =>
    http.requestJson(path, init) as Promise<Reply>;
  return {
    create: (draft) => ask(routes.embeds(), jsonRequest("POST", draft)),
    list: async () => (await ask<{ embeds: readonly EmbedInfo[] }>(routes.embeds())).embeds,
    revoke: async (id) => void (await http.request(routes.embed(id), { method: "DELETE" })),
    token: (id) => ask(routes.embedToken(id), { method: "POST" }),
    keys: async () => (await ask<{ keys: readonly EmbedKey[] }>(routes.embedKeys())).keys,
    addKey: (draft) => ask(routes.embedKeys(), jsonRequest("POST", draft)),
    removeKey: async (kid) => void (await http.request(routes.embedKey(kid), { method: "DELETE" })),
    rotateKey: () => ask(routes.embedKeyRotation(), { method: "POST" }),
    image: (id, { format = "png", query, ...look } = {}) => {
      const given = { ...look, ...(query !== undefined && { query: printQuery(query) }) };
      return http.requestBytes(`${routes.embedImage(id, format)}${printParameters(given)}`);
    },
    imageUrl: (id, draft = {}) => ask(routes.embedImageUrl(id), jsonRequest("POST", draft)),
    self: () => ask(routes.embedSelf()),
  };
}
