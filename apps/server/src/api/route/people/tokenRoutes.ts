import { apiBase, type TokenInfo } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { readJsonBody } from "../../body/jsonBody.js";
import { actorOf } from "../../context/requester.js";
import { idAnswer, idParameter, type Operation, type WithId } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";

const draft = { name: "shop", scopes: ["query:visits", "ingest:visits"], expires: "90d" };
const info: TokenInfo = {
  ...{ id: "7a4f9f0e-6c1d-4e0a-9d3a-1f6f1c2b7a90", name: draft.name, scopes: draft.scopes },
  ...{ createdMs: 1795254000000, createdBy: "anna", expires: 1803030000000, lastUsed: null },
};
const token = "hdl_the-example-of-the-document-is-no-token";

const getTokens: Operation = {
  operationId: "listTokens",
  summary: "All tokens that were not revoked",
  tag: "People",
  access: "admin",
  answer: {
    status: 200,
    description: "The newest first, without the tokens themselves.",
    content: { "application/json": { schema: ref("TokenList"), example: { tokens: [info] } } },
  },
  problems: ["registry-unavailable"],
};

const postToken: Operation = {
  operationId: "createToken",
  summary: "Create a token for a program",
  description:
    "It may do what its scopes say, whoever creates it. Grants for the token narrow what it reads.",
  tag: "People",
  access: "admin",
  body: { content: { "application/json": { schema: ref("TokenDraft"), example: draft } } },
  answer: {
    status: 201,
    description: "The token, which is shown here only.",
    content: {
      "application/json": { schema: ref("CreatedToken"), example: { ...info, token } },
    },
  },
  problems: ["invalid-query", "registry-unavailable"],
};

const deleteToken: Operation = {
  operationId: "revokeToken",
  summary: "Revoke a token",
  description: "Within five seconds nothing can be asked with it, and its live sockets close.",
  tag: "People",
  access: "admin",
  parameters: [idParameter("As `listTokens` gave it.", info.id)],
  answer: idAnswer(info.id),
  problems: ["unknown-token", "registry-unavailable"],
};

/** Tokens of programs. */
export function addTokenRoutes(app: FastifyInstance, { deps: { access } }: RouteContext): void {
  const path = `${apiBase}/tokens`;
  const { tokens } = access;
  app.get(path, { config: { operation: getTokens } }, async () => ({
    tokens: await tokens.list(),
  }));
  app.post(path, { config: { operation: postToken } }, async (request, reply) => {
    const created = await tokens.create(await readJsonBody(request), actorOf(request));
    return reply.code(201).send(created);
  });
  app.delete<WithId>(`${path}/:id`, { config: { operation: deleteToken } }, async (request) => {
    const { id } = request.params;
    await tokens.revoke(id, actorOf(request));
    return { id };
  });
}
