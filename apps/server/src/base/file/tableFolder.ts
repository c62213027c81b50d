import { createHash } from "node:crypto";

/** Names are any Unicode; folders are named by hash, so that no name can reach another path. */
export function tableFolder(table: string): string {
  return createHash("sha256").update(table).digest("hex").slice(0, 32);
}
