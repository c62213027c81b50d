import { apiBase } from "@hadal/sdk";
import { checkLink } from "@hadal/sdk/checks";
import type { FastifyInstance } from "fastify";
import { readJsonBody } from "../body/jsonBody.js";
import type { ApiDeps } from "../context/deps.js";
import { getLink, postLink } from "./linkOperations.js";

/** Short names of addresses of the page. */
export function addLinkRoutes(app: FastifyInstance, { links }: ApiDeps): void {
  app.post(`${apiBase}/links`, { config: { operation: postLink } }, async (request) =>
    links.save(checkLink(await readJsonBody(request))),
  );
  app.get<{ Params: { id: string } }>(
    `${apiBase}/links/:id`,
    { config: { operation: getLink } },
    ({ params }) => links.find(params.id),
  );
}
