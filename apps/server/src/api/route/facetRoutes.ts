import { randomUUID } from "node:crypto";
import {
  apiBase,
  bigintAsText,
  type Completeness,
  completenessHeader,
  printCompletenessLine,
} from "@hadal/sdk";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readJsonBody } from "../body/jsonBody.js";
import { type AnswerSessions, sessionHeader } from "../context/answerSessions.js";
import type { ApiDeps, AskOptions } from "../context/deps.js";
import type { RunningQueries } from "../context/runningQueries.js";
import { postWhatChanged } from "./changeOperations.js";
import { postFacets } from "./facetOperations.js";
import { cancelOnDisconnect } from "./queryRoutes.js";

/** Questions about all columns of some rows. */
export function addFacetRoutes(
  app: FastifyInstance,
  deps: ApiDeps,
  running: RunningQueries,
  sessions: AnswerSessions,
): void {
  const answer =
    <Answer extends { readonly completeness: Completeness; readonly asOf: number }>(
      ask: (request: unknown, options: AskOptions<Answer>) => Promise<Answer>,
    ) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const session = sessions.of(request.headers[sessionHeader], request.ip);
      const asked = await readJsonBody(request);
      const controller = cancelOnDisconnect(reply);
      const id = randomUUID();
      const found = await running.run(id, asked, { client: request.ip, controller }, (signal) =>
        ask(asked, { id, signal, session }),
      );
      reply.header(completenessHeader, printCompletenessLine(found.completeness));
      return reply
        .type("application/json; charset=utf-8")
        .send(JSON.stringify(found, bigintAsText));
    };
  app.post(`${apiBase}/facets`, { config: { operation: postFacets } }, answer(deps.facets));
  app.post(
    `${apiBase}/what-changed`,
    { config: { operation: postWhatChanged } },
    answer(deps.whatChanged),
  );
}
