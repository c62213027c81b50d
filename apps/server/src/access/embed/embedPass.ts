import { type EmbedImage, type EmbedScope, HadalError, type SignInWays } from "@hadal/sdk";
import { unauthenticated } from "../credentials.js";

/** What a token says whose signature was verified. */
export interface EmbedPass {
  readonly kid: string;
  /** By which it was verified: another key may take its `kid`. */
  readonly x: string;
  /** Null: a host signed it for itself. */
  readonly embedId: string | null;
  readonly scope: EmbedScope;
  /** Beside the scope's: pages that tokens of this key may name; null: any. */
  readonly keyHosts: readonly string[] | null;
  readonly issuedMs: number;
  readonly expiresMs: number;
  /** Of a signature for one picture: what it shows. */
  readonly image?: EmbedImage;
}

/** One body for whatever is wrong with a token: it does not say which keys there are. */
export const invalidPass = (detail = "The embed token is not valid here."): HadalError =>
  new HadalError("token-scope", { detail });

export const viewNotAllowed = (): HadalError =>
  new HadalError("token-scope", { detail: "The embed does not allow this view." });

export const embedEnded = "The embed token has expired or was revoked: ask its page for a new one.";

export const endedPass = (signIn: SignInWays): HadalError => unauthenticated(signIn, embedEnded);
