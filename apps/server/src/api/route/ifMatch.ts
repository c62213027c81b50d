import { HadalError } from "@hadal/sdk";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Parameter } from "../docs/operation.js";

/** For the description of routes that change what has versions. */
export const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  description: 'The version that the change began from, such as `"3"`; without it any.',
  schema: { type: "string" },
};

export const etag = { ETag: { description: "The version, in quotes." } };

/** The version that a change began from; null where any will do. Throws `bad-request`. */
export function expectedVersion({ headers }: FastifyRequest): number | null {
  const header = headers["if-match"];
  if (header === undefined || header === "*") return null;
  const found = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim());
  if (found !== null) return Number(found[1]);
  throw new HadalError("bad-request", {
    detail: `If-Match is the number of a version, such as "3"; found ${header.slice(0, 50)}.`,
  });
}

/** The reply with the version as its entity tag. */
export function tagged<Versioned extends { readonly version: number }>(
  reply: FastifyReply,
  found: Versioned,
): Versioned {
  reply.header("etag", `"${found.version}"`);
  return found;
}
