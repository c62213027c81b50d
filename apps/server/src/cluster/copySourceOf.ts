import { HadalError } from "@hadal/sdk";
import type { CopySource } from "../base/copy/copySource.js";
import type { LeafConnection } from "./leafConnection.js";

/** A file of many bytes takes a while on a slow link. */
const timeoutMs = 60_000;
const stateTimeoutMs = 5_000;

/** A leaf on another machine as the source of a copy. */
export function copySourceOf(leaf: Pick<LeafConnection, "id" | "request">): CopySource {
  const unexpected = (kind: string): HadalError =>
    new HadalError("bad-request", { detail: `${leaf.id} answered a copy with ${kind}` });
  return {
    async state(request) {
      const { header } = await leaf.request({ kind: "copyState", ...request }, undefined, {
        timeoutMs: request.waitMs + stateTimeoutMs,
      });
      if (header.kind !== "copyState") throw unexpected(header.kind);
      return header;
    },
    async segment(table, generation) {
      const asked = { kind: "copySegment", table, generation } as const;
      const { header, body } = await leaf.request(asked, undefined, { timeoutMs });
      if (header.kind !== "copyBytes") throw unexpected(header.kind);
      return header.isThere ? body : null;
    },
    async log(table, range) {
      const asked = { kind: "copyLog", table, ...range } as const;
      const { header, body } = await leaf.request(asked, undefined, { timeoutMs });
      if (header.kind !== "copyBytes") throw unexpected(header.kind);
      return body;
    },
    async logHash(table, generation, bytes) {
      const asked = { kind: "copyLogHash", table, generation, bytes } as const;
      const { header } = await leaf.request(asked, undefined, { timeoutMs });
      if (header.kind !== "copyLogHash") throw unexpected(header.kind);
      return header.hash;
    },
  };
}
