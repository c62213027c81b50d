import { randomUUID } from "node:crypto";
import { HadalError, type Problem } from "@hadal/sdk";
import type { FastifyError, FastifyReply } from "fastify";
import { bodyBytesMax } from "../../ingest/body/bodyStream.js";
import type { ApiDeps } from "../context/deps.js";

const problemType = "application/problem+json";
const pathUnitsMax = 500;

/** Any error as a problem to send. A bug is logged under an id, which the problem names. */
export function toProblem(error: unknown, logError: ApiDeps["logError"]): Problem {
  return toHadalError(error, logError, "").toProblem();
}

export function sendProblem(
  reply: FastifyReply,
  error: unknown,
  logError: ApiDeps["logError"],
): FastifyReply {
  const problem = toHadalError(error, logError, reply.request.url.slice(0, pathUnitsMax));
  if (problem.retry) reply.header("retry-after", String(retrySeconds(problem)));
  if (problem.status === 401) reply.header("www-authenticate", 'Bearer realm="hadal"');
  // As bytes: Fastify would add a charset to the type of a text, and JSON has none.
  const body = Buffer.from(JSON.stringify(problem.toProblem()));
  return reply.code(problem.status).type(problemType).send(body);
}

/** When a limit that was exceeded allows more; else in a second. */
export function retrySeconds({ members: { retryAfterMs } }: HadalError): number {
  return typeof retryAfterMs === "number" ? Math.max(1, Math.ceil(retryAfterMs / 1_000)) : 1;
}

/** What a caller is answered; a bug is logged under an id. */
export function toHadalError(
  error: unknown,
  logError: ApiDeps["logError"],
  path: string,
): HadalError {
  if (error instanceof HadalError) return error;
  const { code, statusCode, message } = (error ?? {}) as Partial<FastifyError>;
  if (statusCode === 413) {
    return new HadalError("body-too-large", { max: bodyBytesMax, limitName: "bodyBytesMax" });
  }
  if (code?.startsWith("FST_ERR_CTP") === true) {
    return new HadalError("unsupported-media-type", { detail: message ?? "" });
  }
  // Fastify's own refusals of a request, such as a path that cannot be decoded.
  if (code?.startsWith("FST_") === true && statusCode !== undefined && statusCode < 500) {
    return new HadalError("bad-request", { detail: message ?? "" });
  }
  // The file server refuses paths that leave its folder, contain a zero byte or cannot be decoded.
  if (isHttpError(error)) return new HadalError("not-found", { path });
  if (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE") {
    return new HadalError("bad-request", { detail: "The request ended before its body did." });
  }
  const id = randomUUID();
  logError(`problem ${id}`, error);
  return new HadalError("internal", { id });
}

/** An error of the `http-errors` package that a client brought about. */
function isHttpError(error: unknown): boolean {
  const { status, expose } = (error ?? {}) as {
    readonly status?: unknown;
    readonly expose?: unknown;
  };
  return expose === true && typeof status === "number" && status >= 400 && status < 500;
}
