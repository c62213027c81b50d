import type { FastifyRequest } from "fastify";
import type { ApiDeps } from "./deps.js";
import { actorOf } from "./requester.js";

/**
 * An entry of the audit log for numbers that left as a file. Queries go on while the registry is away: an entry that
 * cannot be written is in the log of the server.
 */
export function noteExport(
  request: FastifyRequest,
  what: string,
  { access, logError }: Pick<ApiDeps, "access" | "logError">,
): void {
  if (request.person.kind === "anyone") return;
  access.audit
    .record(actorOf(request), "export", what)
    .catch((error: unknown) => logError("audit", error));
}
