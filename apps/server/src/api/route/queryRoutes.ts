import { randomUUID } from "node:crypto";
import { apiBase, completenessHeader, HadalError, printCompletenessLine } from "@hadal/sdk";
import type { FastifyInstance, FastifyReply } from "fastify";
import { readQuery } from "../body/askedQuery.js";
import { readJsonBody } from "../body/jsonBody.js";
import { type AnswerSessions, sessionHeader } from "../context/answerSessions.js";
import type { ApiDeps } from "../context/deps.js";
import type { RunningQueries } from "../context/runningQueries.js";
import { answerBody } from "../format/answerBody.js";
import { chooseFormat } from "../format/resultFormats.js";
import { deleteQuery, postQuery } from "./queryOperations.js";

const queryIdHeader = "x-query-id";

export function addQueryRoutes(
  app: FastifyInstance,
  deps: ApiDeps,
  running: RunningQueries,
  sessions: AnswerSessions,
): void {
  app.post(`${apiBase}/query`, { config: { operation: postQuery } }, async (request, reply) => {
    const format = chooseFormat(request.headers.accept);
    const id = checkQueryId(request.headers[queryIdHeader]);
    // Also on a problem: it can be looked up in the status and in logs.
    reply.header(queryIdHeader, id);
    const session = sessions.of(request.headers[sessionHeader], request.ip);
    const { query, explain } = readQuery(await readJsonBody(request));
    const controller = cancelOnDisconnect(reply);
    const result = await running
      .run(id, query, { client: request.ip, controller }, (signal) =>
        deps.ask(query, { id, signal, session }),
      )
      .catch((error: unknown) => {
        throw explain(error);
      });
    reply.header(completenessHeader, printCompletenessLine(result.completeness));
    const held = deps.answers.hold(result, () => reply.raw.destroy());
    reply.raw.once("close", () => held.release());
    const printed = format.print(result);
    const body = printed instanceof Promise ? await printed : answerBody(printed, held);
    return reply.type(format.mediaType).send(body);
  });

  app.delete<{ Params: { id: string } }>(
    `${apiBase}/query/:id`,
    { config: { operation: deleteQuery } },
    async ({ params }, reply) => {
      if (!running.cancel(params.id)) throw new HadalError("unknown-query", { id: params.id });
      return reply.code(204).send();
    },
  );
}

/** Aborts when the client goes away before the answer is sent. */
export function cancelOnDisconnect(reply: FastifyReply): AbortController {
  const controller = new AbortController();
  reply.raw.on("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller;
}

/** A client may name its query, to be able to cancel it before the answer's headers are there. */
function checkQueryId(id: string | string[] | undefined): string {
  if (id === undefined) return randomUUID();
  if (typeof id === "string" && /^[\w.:-]{1,100}$/.test(id)) return id;
  throw new HadalError("bad-request", {
    detail: `${queryIdHeader} has 1 to 100 letters, digits, and _ . : -`,
  });
}
