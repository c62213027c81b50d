import { createHash } from "node:crypto";
import { headOf } from "../../base/bytes/sections.js";

/** What identifies the content of a segment's file: its head has a checksum of each part. */
export const identityOf = (payload: Uint8Array): string =>
  createHash("sha256").update(headOf(payload)).digest("hex");
