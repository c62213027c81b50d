import {
  apiBase,
  type EmbedInfo,
  type EmbedScope,
  type EmbedSelf,
  HadalError,
  type Query,
} from "@hadal/sdk";
import { checkEmbedScope } from "@hadal/sdk/checks";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import type { Person } from "../../../access/person.js";
import { readJsonBody } from "../../body/jsonBody.js";
import { missingScope } from "../../connection/identify.js";
import { embedActorOf } from "../../context/requester.js";
import { idAnswer, idParameter, type Operation, type WithId } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";
import { checkEmbedQuery } from "./checkEmbedQuery.js";
import { embedSnippet } from "./embedSnippet.js";

const query: Query = {
  ...{ table: "visits", from: "-3h", to: "now", groupBy: ["page", { time: "1m" }] },
  aggregates: [{ fn: "count" }],
};
const scope: EmbedScope = {
  ...{ title: "Visits of the shop", table: "visits", views: ["timeseries", "table"] },
  filter: [{ column: "shop", op: "=", value: "berlin" }],
  ...{ hiddenColumns: ["ip"], groupBy: ["time", "page"], rangeMsMax: 604_800_000 },
  ...{ frameAncestors: ["https://intranet.example"], expiresInMs: 3_600_000 },
  ...{ query, view: "timeseries", mayOpen: null },
};
const info: EmbedInfo = {
  ...{ id: "7a4f9f0e-6c1d-4e0a-9d3a-1f6f1c2b7a90", title: scope.title, scope },
  ...{ createdMs: 1795254000000, createdBy: "anna", revokedMs: null },
};
const token = {
  ...{ id: info.id, token: "eyJhbGciOiJFZERTQSJ9.e30.no-token", expiresMs: 1795257600000 },
};
const self: EmbedSelf = {
  ...{ id: info.id, kid: "tEwUdtfCk7mSUkXoP1bLPKvSjkYAOWxHzMOLVRRf-sM", title: scope.title },
  ...{ table: scope.table, views: scope.views },
  ...{ groupBy: scope.groupBy, hiddenColumns: scope.hiddenColumns },
  ...{ rangeMsMax: scope.rangeMsMax, query, view: "timeseries" },
  ...{ expiresMs: token.expiresMs, mayOpen: false },
  columns: [{ name: "page", type: "string", decimals: 0 }],
};

const getEmbeds: Operation = {
  operationId: "listEmbeds",
  summary: "Embeds that one made",
  description: "With the permission `admin`: all.",
  tag: "Embeds",
  access: "embed",
  answer: {
    status: 200,
    description: "The newest first, also those that were revoked.",
    content: { "application/json": { schema: ref("EmbedList"), example: { embeds: [info] } } },
  },
  problems: ["registry-unavailable"],
};

const postEmbed: Operation = {
  operationId: "createEmbed",
  summary: "A token by which another page shows a chart",
  description:
    "The token shows what is listed, and never more than whoever creates it may read at the time. Each query is checked against it: conditions and numbers may read every column that is not hidden; groups, time buckets (`time`), texts that are a minimum or maximum, lists of values and differences need their columns in `groupBy`; raw rows need the view `rows`; `rangeMsMax` holds for each side of a comparison. A `query` that goes beyond it, or that the table cannot answer, is refused here as it would be when it is read. A token is valid for at most a day; `renewEmbedToken` gives another.",
  tag: "Embeds",
  access: "embed",
  body: { content: { "application/json": { schema: ref("EmbedDraft"), example: scope } } },
  answer: {
    status: 201,
    description: "The token, which is shown here only, and a snippet for a page.",
    content: {
      "application/json": {
        schema: ref("CreatedEmbed"),
        example: { ...token, html: '<hadal-chart src="…" token="…"></hadal-chart>' },
      },
    },
  },
  problems: [
    ...(["invalid-query", "unknown-table", "unknown-column", "type-mismatch"] as const),
    ...(["unknown-function", "time-range-invalid", "token-scope", "registry-unavailable"] as const),
  ],
};

const deleteEmbed: Operation = {
  operationId: "revokeEmbed",
  summary: "Revoke an embed",
  description:
    "Within five seconds nothing can be asked with its tokens, and live sockets of them close.",
  tag: "Embeds",
  access: "embed",
  parameters: [idParameter("As `listEmbeds` gave it.", info.id)],
  answer: idAnswer(info.id),
  problems: ["unknown-embed", "registry-unavailable"],
};

const postToken: Operation = {
  operationId: "renewEmbedToken",
  summary: "A new token of an embed",
  tag: "Embeds",
  access: "embed",
  parameters: [idParameter("As `listEmbeds` gave it.", info.id)],
  answer: {
    status: 201,
    description: "The token, which is shown here only.",
    content: { "application/json": { schema: ref("EmbedToken"), example: token } },
  },
  problems: ["unknown-embed", "registry-unavailable"],
};

const getSelf: Operation = {
  operationId: "describeEmbed",
  summary: "With an embed token: what it allows",
  tag: "Embeds",
  access: "query",
  isForEmbeds: true,
  answer: {
    status: 200,
    description: "For the page that shows it; every query is checked again.",
    content: { "application/json": { schema: ref("EmbedSelf"), example: self } },
  },
  problems: ["unknown-embed", "unknown-table"],
};

/** Charts that other pages show. */
export function addEmbedRoutes(app: FastifyInstance, context: RouteContext): void {
  const { access } = context.deps;
  const { embeds } = access;
  const path = `${apiBase}/embeds`;
  app.get(path, { config: { operation: getEmbeds } }, async (request) => ({
    embeds: await embeds.list(embedActorOf(request)),
  }));
  app.post(path, { config: { operation: postEmbed } }, async (request, reply) => {
    const wanted = checkEmbedScope(await readJsonBody(request));
    const { person, reached } = request;
    checkTable(person, wanted.table);
    await context.deps.table(wanted.table, person.embeddable);
    await checkEmbedQuery(wanted, person.embeddable, context.deps);
    const created = await embeds.create(wanted, embedActorOf(request));
    const html = embedSnippet(`${reached.protocol}://${reached.host}`, wanted, created.token);
    return reply.code(201).send({ ...created, html });
  });
  app.delete<WithId>(`${path}/:id`, { config: { operation: deleteEmbed } }, async (request) => {
    const { id } = request.params;
    await embeds.revoke(id, embedActorOf(request));
    return { id };
  });
  app.post<WithId>(
    `${path}/:id/token`,
    { config: { operation: postToken } },
    async (request, reply) =>
      reply.code(201).send(await embeds.token(request.params.id, embedActorOf(request))),
  );
  app.get(`${path}/self`, { config: { operation: getSelf } }, ({ person }) =>
    selfOf(person, context),
  );
}

/** A token without the scope learns that; for a user there is no such table. */
function checkTable({ kind, embeddable }: Person, table: string): void {
  if (embeddable.of(table) !== null) return;
  if (kind === "token") throw missingScope(`embed:${table}`);
  throw new HadalError("unknown-table", { table, nearest: "" });
}

async function selfOf(
  { id, pass, readable }: Person,
  { deps, auth }: RouteContext,
): Promise<EmbedSelf> {
  if (pass === undefined) throw new HadalError("unknown-embed", { id: "self" });
  const { title, table, views, groupBy, hiddenColumns, rangeMsMax } = pass.scope;
  const { query: shown, view, mayOpen } = pass.scope;
  const { columns } = await deps.table(table, readable);
  return {
    ...{
      id: pass.embedId === null ? null : id,
      kid: pass.kid,
      title,
      table,
      views,
      groupBy,
      hiddenColumns,
    },
    ...{ rangeMsMax, query: shown, view, expiresMs: pass.expiresMs },
    mayOpen: mayOpen ?? auth === "none",
    columns: columns.map(({ name, type, decimals, unit }) => ({
      ...{ name, type, decimals },
      ...(unit === undefined ? {} : { unit }),
    })),
  };
}
