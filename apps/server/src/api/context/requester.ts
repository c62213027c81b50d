import type { FastifyRequest } from "fastify";
import type { Actor } from "../../access/audit/auditLog.js";
import type { EmbedActor } from "../../access/embed/embedKeys.js";
import type { Person } from "../../access/person.js";
import { clientOf } from "../../base/process/client.js";

/** Who sends a request, for limits and turns. */
export interface Requester {
  readonly person: Person;
  readonly address: string;
}

export function requesterOf({ person, reached }: FastifyRequest): Requester {
  return { person, address: reached.address };
}

/** Who changes something, for the audit log. */
export function actorOf({ person, reached }: FastifyRequest): Actor {
  return { who: person.name, address: reached.address };
}

/** Limits of persons go by this: a user, a token, or the address of one who is not known. */
export function limitKeyOf({ person, address }: Requester): string {
  return person.kind === "anyone" ? address : person.key;
}

/** The client of a request, as turns go by it; `name`: as it states it. */
export function clientOfRequester({ person, address }: Requester, name = ""): string {
  return clientOf({ person: person.kind === "anyone" ? null : person.key, address, name });
}

/** The same who makes an embed or a key: it gives no more than that person may read. */
export function embedActorOf(request: FastifyRequest): EmbedActor {
  const { kind, id, permissions } = request.person;
  if (kind === "embed") throw new Error("this route is not for visitors of embeds");
  return { ...actorOf(request), owner: { kind, id }, isAdmin: permissions.has("admin") };
}
