import { randomUUID } from "node:crypto";
import {
  bigintAsText,
  type Completeness,
  completenessHeader,
  type ProblemCode,
  printCompletenessLine,
} from "@hadal/sdk";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readJsonBody } from "../body/jsonBody.js";
import { sessionHeader } from "../context/answerSessions.js";
import type { AskOptions } from "../context/deps.js";
import { requesterOf } from "../context/requester.js";
import { bindingProblems } from "../docs/operation.js";
import { cancelOnDisconnect } from "./cancelOnDisconnect.js";
import type { RouteContext } from "./routeContext.js";

/** Problems of a question about all columns of some rows. */
export const answerProblems: readonly ProblemCode[] = [
  ...bindingProblems,
  "query-memory",
  "quota-exceeded",
  "no-leaves",
  "cancelled",
];

interface Answer {
  readonly completeness: Completeness;
  readonly asOf: number;
}

interface Asking<A> extends Pick<RouteContext, "running" | "sessions"> {
  readonly ask: (request: unknown, options: AskOptions<A>) => Promise<A>;
}

/** Asks what the request's body says, and sends the answer as JSON. */
export async function sendAnswer<A extends Answer>(
  request: FastifyRequest,
  reply: FastifyReply,
  { running, sessions, ask }: Asking<A>,
): Promise<FastifyReply> {
  const requester = requesterOf(request);
  const session = sessions.of(request.headers[sessionHeader], requester);
  const asked = await readJsonBody(request);
  const controller = cancelOnDisconnect(reply);
  const id = randomUUID();
  const found = await running.run(id, asked, { requester, controller }, (signal) =>
    ask(asked, { id, signal, session, readable: request.person.readable }),
  );
  reply.header(completenessHeader, printCompletenessLine(found.completeness));
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(found, bigintAsText));
}
