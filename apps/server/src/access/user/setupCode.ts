import { hashOf, newSecret } from "../secret/secret.js";
import type { UserValues } from "./userRows.js";

/** Over a weekend. */
const validMs = 3 * 86_400_000;

export interface SetupCode {
  /** Path and code: the page reads the code, which no server gets in an address. */
  readonly setup: string;
  readonly values: Pick<UserValues, "setup_hash" | "setup_expires_ms">;
}

/** With which a user sets a password, once. */
export function newSetupCode(nowMs: number): SetupCode {
  const code = newSecret();
  return {
    setup: `/setup#${code}`,
    values: { setup_hash: hashOf(code), setup_expires_ms: nowMs + validMs },
  };
}

export const noSetupCode: SetupCode["values"] = { setup_hash: null, setup_expires_ms: null };
