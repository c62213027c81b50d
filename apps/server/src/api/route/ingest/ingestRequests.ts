import { HadalError } from "@hadal/sdk";
import type { FastifyRequest } from "fastify";
import type { Person } from "../../../access/person.js";
import { missingScope } from "../../connection/identify.js";
import { sessionHeader } from "../../context/answerSessions.js";
import { clientOfRequester, requesterOf } from "../../context/requester.js";

/** Throws the same whether there is such a table or not. */
export function checkMayIngest(table: string, person: Person): void {
  if (person.mayIngest(table)) return;
  if (person.kind === "token") throw missingScope(`ingest:${table}`);
  const detail = `You may not send rows to ${table}: no grant gives you all of it.`;
  throw new HadalError("forbidden", { detail });
}

/** Who sends a body, and what its headers say about it. */
export function senderOf(request: FastifyRequest) {
  return {
    client: clientOfRequester(requesterOf(request), headerText(request, sessionHeader) ?? ""),
    contentLength: lengthOf(request),
    contentEncoding: request.headers["content-encoding"],
  };
}

/** Node has checked the header. */
function lengthOf(request: FastifyRequest): number | undefined {
  const text = request.headers["content-length"];
  return text === undefined ? undefined : Number(text);
}

export function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
