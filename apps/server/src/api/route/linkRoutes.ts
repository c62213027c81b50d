import { apiBase, type ShortLink } from "@hadal/sdk";
import { checkLink } from "@hadal/sdk/checks";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { readJsonBody } from "../body/jsonBody.js";
import type { Operation } from "../docs/operation.js";
import type { RouteContext } from "./routeContext.js";

const link: ShortLink = {
  id: "fqwyxpj87d",
  path: "/explore?v=1&table=visits&from=-3h&to=now",
  savedMs: 1795254000000,
};
const answer = {
  status: 200,
  description: "`/s/{id}` of this server leads there.",
  content: { "application/json": { schema: ref("ShortLink"), example: link } },
};

const postLink: Operation = {
  operationId: "saveLink",
  summary: "A short name for an address of the page",
  description: "The same address always gets the same name.",
  tag: "Links",
  access: "query",
  body: {
    content: { "application/json": { schema: ref("LinkDraft"), example: { path: link.path } } },
  },
  answer,
  problems: ["invalid-query", "registry-unavailable"],
};

const getLink: Operation = {
  operationId: "link",
  summary: "The address of a short name",
  tag: "Links",
  access: "query",
  parameters: [
    {
      name: "id",
      in: "path",
      description: "As `saveLink` gave it.",
      schema: { type: "string" },
      example: link.id,
    },
  ],
  answer,
  problems: ["unknown-link"],
};

/** Short names of addresses of the page. */
export function addLinkRoutes(app: FastifyInstance, { deps: { links } }: RouteContext): void {
  app.post(`${apiBase}/links`, { config: { operation: postLink } }, async (request) =>
    links.save(checkLink(await readJsonBody(request))),
  );
  app.get<{ Params: { id: string } }>(
    `${apiBase}/links/:id`,
    { config: { operation: getLink } },
    ({ params }) => links.find(params.id),
  );
}
