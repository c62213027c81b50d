import { apiBase, type SourceInfo, type SourceSettings } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { readJsonBody } from "../../body/jsonBody.js";
import { actorOf } from "../../context/requester.js";
import { idAnswer, idParameter, type Operation, type WithId } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";

const settings: SourceSettings = {
  kind: "kafka",
  brokers: ["127.0.0.1:9092", "127.0.0.2:9092"],
  group: "hadal",
  tls: true,
  sasl: { mechanism: "SCRAM-SHA-512", username: "hadal", passwordFrom: "KAFKA_PASSWORD_SHOP" },
  topics: [
    { topic: "visits", table: "visits" },
    { topic: "orders", table: "orders", time: "placed_at", timeUnit: "s" },
  ],
};
const info: SourceInfo = { id: "shop", isFixed: false, ...settings };
const parameter = idParameter("Letters, digits, points, hyphens and underscores.", info.id);

const getSources: Operation = {
  operationId: "listSources",
  summary: "All sources",
  description: "How far they have come is in the status of the server.",
  tag: "Rows",
  access: "admin",
  answer: {
    status: 200,
    description: "The sources, in the order of their ids.",
    content: { "application/json": { schema: ref("SourceList"), example: { sources: [info] } } },
  },
};

const getSource: Operation = {
  operationId: "getSource",
  summary: "One source",
  tag: "Rows",
  access: "admin",
  parameters: [parameter],
  answer: {
    status: 200,
    description: "The source.",
    content: { "application/json": { schema: ref("Source"), example: info } },
  },
  problems: ["unknown-source"],
};

const putSource: Operation = {
  operationId: "setSource",
  summary: "Read topics of Kafka",
  description:
    "Creates the source, or replaces its settings; all gateways follow within some seconds. Each message becomes the rows of a table: a JSON object, several lines of JSON, or what a header `content-type` or the setting says. Every message is stored once, also where gateways, leaves or brokers fail in between: how far a partition was read is kept in the registry. Messages that are no rows are counted and listed in the status; the others go on.",
  tag: "Rows",
  access: "admin",
  parameters: [parameter],
  body: { content: { "application/json": { schema: ref("SourceSettings"), example: settings } } },
  answer: {
    status: 200,
    description: "The source.",
    content: { "application/json": { schema: ref("Source"), example: info } },
  },
  problems: ["invalid-query", "source-fixed", "registry-unavailable"],
};

const deleteSource: Operation = {
  operationId: "deleteSource",
  summary: "Read no more of it",
  description:
    "Its rows stay. How far it was read is forgotten: a source of the same id begins where its group has committed.",
  tag: "Rows",
  access: "admin",
  parameters: [parameter],
  answer: idAnswer(info.id),
  problems: ["unknown-source", "source-fixed", "registry-unavailable"],
};

export function addSourceRoutes(app: FastifyInstance, { deps: { sources } }: RouteContext): void {
  const path = `${apiBase}/sources`;
  app.get(path, { config: { operation: getSources } }, async () => ({ sources: sources.list() }));
  app.get<WithId>(`${path}/:id`, { config: { operation: getSource } }, async ({ params }) =>
    sources.get(params.id),
  );
  app.put<WithId>(`${path}/:id`, { config: { operation: putSource } }, async (request) =>
    sources.set(request.params.id, await readJsonBody(request), actorOf(request)),
  );
  app.delete<WithId>(`${path}/:id`, { config: { operation: deleteSource } }, async (request) => {
    const { id } = request.params;
    await sources.remove(id, actorOf(request));
    return { id };
  });
}
