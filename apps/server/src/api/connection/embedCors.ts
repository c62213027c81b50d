import { apiBase, completenessHeader, HadalError } from "@hadal/sdk";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isHostAllowed } from "../../access/embed/hostSource.js";
import type { Person } from "../../access/person.js";
import { sessionHeader } from "../context/answerSessions.js";

const headersAllowed = `authorization, content-type, ${sessionHeader}, x-query-id`;
const headersExposed = `${completenessHeader}, x-query-id, retry-after`;
/** Browsers keep it for two hours at most. */
const preflightSeconds = 600;

/** Only embed tokens have a point; they come from pages of other hosts. */
export const isEmbedToken = (token: string | null): token is string =>
  token?.includes(".") === true;

/**
 * Answers browsers that ask whether a page of another host may send an embed token. Which host a token is for is known
 * when it comes: here it is any that a token may name. No other request of another host is allowed, and none has cookies.
 */
export function answerPreflights(
  app: FastifyInstance,
  mayBeHost: (origin: string) => boolean,
): void {
  app.addHook("onRequest", async (request, reply) => {
    const { origin } = request.headers;
    const method = request.headers["access-control-request-method"];
    if (request.method !== "OPTIONS" || origin === undefined || method === undefined) return;
    if (!request.url.startsWith(`${apiBase}/`) || !mayBeHost(origin)) return;
    allowOrigin(reply, origin);
    reply.header("access-control-allow-methods", "GET, POST");
    reply.header("access-control-allow-headers", headersAllowed);
    reply.header("access-control-max-age", String(preflightSeconds));
    return reply.code(204).send();
  });
}

/** The page may read the answer, also a problem. */
export function allowOrigin(reply: FastifyReply, origin: string): void {
  reply.header("access-control-allow-origin", origin);
  reply.header("access-control-expose-headers", headersExposed);
  reply.header("vary", "Origin");
}

/** Throws `origin-refused` where the page of that origin may not show the embed. */
export function checkEmbedHost({ pass }: Person, origin: string): void {
  const lists = pass === undefined ? [[]] : [pass.scope.frameAncestors, pass.keyHosts];
  if (lists.every((hosts) => hosts === null || isHostAllowed(origin, hosts))) return;
  throw new HadalError("origin-refused", {
    origin: `Origin ${JSON.stringify(origin.slice(0, 255))}`,
  });
}

/** The origin of a page of another host; undefined: it is the server's own, or none. */
export function foreignOrigin(
  request: Pick<FastifyRequest["raw"], "headers">,
  isOwn: (origin: string) => boolean,
): string | undefined {
  const { origin } = request.headers;
  return origin === undefined || isOwn(origin) ? undefined : origin;
}
