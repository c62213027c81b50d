import { apiBase, type EmbedKey } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { readJsonBody } from "../../body/jsonBody.js";
import { actorOf, embedActorOf } from "../../context/requester.js";
import type { Operation } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";

const key: EmbedKey = {
  ...{ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" },
  ...{ kid: "intranet-2026", alg: "EdDSA", use: "sig", source: "host", name: "Intranet" },
  ...{ tables: ["visits"], frameAncestors: ["https://intranet.example"] },
  ...{ createdMs: 1795254000000, createdBy: "anna", endsMs: null },
};
const draft = {
  ...{ name: key.name, kid: key.kid, jwk: { kty: key.kty, crv: key.crv, x: key.x } },
  ...{ tables: key.tables, frameAncestors: key.frameAncestors },
};
const keyAnswer = (status: number, description: string): Operation["answer"] => ({
  ...{ status, description },
  content: { "application/json": { schema: ref("EmbedKey"), example: key } },
});

const getKeys: Operation = {
  operationId: "listEmbedKeys",
  summary: "Public keys by which embed tokens are verified",
  description: "Those of the server and those of hosts, as a set of JWKs.",
  tag: "Embeds",
  access: "embed",
  answer: {
    status: 200,
    description: "The newest first.",
    content: { "application/json": { schema: ref("EmbedKeyList"), example: { keys: [key] } } },
  },
  problems: ["registry-unavailable"],
};

const postKey: Operation = {
  operationId: "addEmbedKey",
  summary: "Add the public key of a host that signs tokens itself",
  description:
    'Its tokens are JWTs: `alg` EdDSA, `kid` in the header, the claims `aud` ("hadal-embed"), `exp` (at most a day ahead), `jti`, and under `hadal` the members of an `EmbedDraft`. `iat` and `nbf` may be five minutes off. A token never shows more than whoever adds the key may read at the time.',
  tag: "Embeds",
  access: "embed",
  body: { content: { "application/json": { schema: ref("EmbedKeyDraft"), example: draft } } },
  answer: keyAnswer(201, "The key."),
  problems: ["invalid-query", "registry-unavailable"],
};

const deleteKey: Operation = {
  operationId: "removeEmbedKey",
  summary: "Remove the key of a host",
  description:
    "One's own; with the permission `admin` any. Within five seconds no token of it is valid.",
  tag: "Embeds",
  access: "embed",
  parameters: [
    {
      ...{ name: "kid", in: "path", description: "As `listEmbedKeys` gave it." },
      ...{ schema: { type: "string" }, example: key.kid },
    },
  ],
  answer: {
    status: 200,
    description: "The key is removed.",
    content: {
      "application/json": {
        schema: { type: "object", required: ["kid"], properties: { kid: { type: "string" } } },
        example: { kid: key.kid },
      },
    },
  },
  problems: ["unknown-key", "registry-unavailable"],
};

const rotateKey: Operation = {
  operationId: "rotateEmbedKey",
  summary: "A new key with which the server signs",
  description: "Tokens that were signed before are valid until they expire.",
  tag: "Embeds",
  access: "admin",
  answer: keyAnswer(201, "The new key."),
  problems: ["registry-unavailable"],
};

/** Keys by which embed tokens are verified. */
export function addEmbedKeyRoutes(app: FastifyInstance, { deps }: RouteContext): void {
  const { embedKeys } = deps.access;
  const path = `${apiBase}/embeds/keys`;
  app.get(path, { config: { operation: getKeys } }, async () => {
    // A host may verify tokens of the server too: its key is among them from the beginning.
    await embedKeys.signing();
    return { keys: await embedKeys.list() };
  });
  app.post(path, { config: { operation: postKey } }, async (request, reply) => {
    const added = await embedKeys.add(await readJsonBody(request), embedActorOf(request));
    return reply.code(201).send(added);
  });
  app.delete<{ Params: { kid: string } }>(
    `${path}/:kid`,
    { config: { operation: deleteKey } },
    async (request) => {
      const { kid } = request.params;
      await embedKeys.remove(kid, embedActorOf(request));
      return { kid };
    },
  );
  app.post(`${path}/rotate`, { config: { operation: rotateKey } }, async (request, reply) =>
    reply.code(201).send(await embedKeys.rotate(actorOf(request))),
  );
}
