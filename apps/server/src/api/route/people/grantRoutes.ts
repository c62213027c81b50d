import { apiBase, type Grant } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { type BodyBound, readJsonBody } from "../../body/jsonBody.js";
import { actorOf } from "../../context/requester.js";
import type { Operation } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";

/** 10,000 grants, most of them without a long filter. */
const grantsBound: BodyBound = { bytesMax: 4_194_304, limitName: "grantsBytesMax" };

const grants: readonly Grant[] = [
  { group: "everyone", table: "visits", hiddenColumns: ["address"] },
  { user: "anna", table: "orders", filter: [{ column: "country", op: "=", value: "DE" }] },
];
const content = { "application/json": { schema: ref("GrantList"), example: { grants } } };

const getGrants: Operation = {
  operationId: "listGrants",
  summary: "Who may read which tables",
  description: "Admins read every table, whatever is listed.",
  tag: "People",
  access: "admin",
  answer: { status: 200, description: "All grants.", content },
  problems: ["registry-unavailable"],
};

const putGrants: Operation = {
  operationId: "setGrants",
  summary: "Replace all grants",
  description:
    "Of several grants for one table a person reads the rows of each of them, and no column that one of them hides. A token reads the tables of its `query` scopes; where grants name it, only what both allow.",
  tag: "People",
  access: "admin",
  body: { content },
  answer: { status: 200, description: "The grants as they are now.", content },
  problems: ["invalid-query", "registry-unavailable"],
};

/** Which tables, rows and columns people and programs may read. */
export function addGrantRoutes(app: FastifyInstance, { deps: { access } }: RouteContext): void {
  const path = `${apiBase}/grants`;
  app.get(path, { config: { operation: getGrants } }, async () => ({
    grants: await access.grants.list(),
  }));
  app.put(path, { config: { operation: putGrants } }, async (request) => ({
    grants: await access.grants.replace(await readJsonBody(request, grantsBound), actorOf(request)),
  }));
}
