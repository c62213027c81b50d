import {
  apiBase,
  type DocumentDraft,
  type DocumentKind,
  documentKinds,
  HadalError,
  type SavedDocument,
} from "@hadal/sdk";
import { checkAlertRule, checkDocumentDraft } from "@hadal/sdk/checks";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Person } from "../../access/person.js";
import type { PreparedRule } from "../../alert/alertService.js";
import type { Documents, SaveBy } from "../../registry/document/documents.js";
import { readJsonBody } from "../body/jsonBody.js";
import { documentsSeenBy } from "../context/readerDocuments.js";
import { actorOf } from "../context/requester.js";
import { bindingProblems, type Operation, type Parameter } from "../docs/operation.js";
import { etag, expectedVersion, ifMatch, tagged } from "./ifMatch.js";
import type { RouteContext } from "./routeContext.js";

const draft = {
  kind: "query",
  title: "Errors by country",
  body: {
    query: {
      ...{ table: "visits", from: "-3h", to: "now", groupBy: ["country"] },
      filter: [{ column: "status", op: ">=", value: 500 }],
    },
    path: "/explore?v=1&table=visits&from=-3h&to=now&group=country",
  },
} as const;
const saved: SavedDocument = {
  ...{ id: "6f1c0d3e-8f0a-4a56-9a43-1f1f5bb0c9ad", ...draft, version: 1 },
  ...{ createdMs: 1795254000000, createdBy: null, changedMs: 1795254000000, changedBy: null },
};
const { body, ...summary } = saved;
const oldVersion = { version: 1, title: saved.title, savedMs: saved.changedMs, savedBy: null };

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "As `saveDocument` gave it.",
  schema: { type: "string" },
  example: saved.id,
};

const draftBody = {
  content: { "application/json": { schema: ref("DocumentDraft"), example: draft } },
};
const documentAnswer = (status: number, description: string) => ({
  ...{ status, description, headers: etag },
  content: { "application/json": { schema: ref("Document"), example: saved } },
});

const getDocuments: Operation = {
  operationId: "listDocuments",
  summary: "Saved queries, dashboards and the like",
  description: "Without their bodies, the last changed first.",
  tag: "Documents",
  access: "query",
  parameters: [
    {
      name: "kind",
      in: "query",
      description: "Of one kind alone.",
      schema: { enum: [...documentKinds] },
      example: "query",
    },
    {
      name: "q",
      in: "query",
      description: "Part of the title, in any case.",
      schema: { type: "string" },
      example: "errors",
    },
  ],
  answer: {
    status: 200,
    description: "All that match.",
    content: {
      "application/json": { schema: ref("DocumentList"), example: { documents: [summary] } },
    },
  },
  problems: ["bad-request", "registry-unavailable"],
};

const postDocument: Operation = {
  operationId: "createDocument",
  summary: "Save something new",
  description:
    "With an `id`, such as that of an export, a document that was deleted comes back with its versions. Documents that come from files of the server (`file`) cannot be changed here: 403 `forbidden`.",
  tag: "Documents",
  access: "save",
  body: draftBody,
  answer: documentAnswer(201, "The document as it is saved."),
  problems: [
    ...bindingProblems,
    ...(["bad-request", "egress-refused", "forbidden", "registry-unavailable"] as const),
  ],
};

const getDocument: Operation = {
  operationId: "document",
  summary: "One document",
  tag: "Documents",
  access: "query",
  parameters: [idParameter],
  answer: documentAnswer(200, "The document as it is now."),
  problems: ["unknown-document", "registry-unavailable"],
};

const putDocument: Operation = {
  operationId: "saveDocument",
  summary: "Save a document's next version",
  description:
    "Where `If-Match` names an older version the save is refused with 412 `version-conflict`; the problem has both bodies, as `current` and `yours`. To restore a version, save its title and body.",
  tag: "Documents",
  access: "save",
  parameters: [idParameter, ifMatch],
  body: draftBody,
  answer: documentAnswer(200, "The document as it is saved."),
  problems: [
    ...bindingProblems,
    ...(["bad-request", "egress-refused", "forbidden", "unknown-document"] as const),
    ...(["version-conflict", "registry-unavailable"] as const),
  ],
};

const deleteDocument: Operation = {
  operationId: "deleteDocument",
  summary: "Remove a document",
  tag: "Documents",
  access: "save",
  parameters: [idParameter, ifMatch],
  answer: {
    status: 200,
    description: "It is gone.",
    content: {
      "application/json": {
        schema: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
        example: { id: saved.id },
      },
    },
  },
  problems: ["forbidden", "unknown-document", "version-conflict", "registry-unavailable"],
};

const getVersions: Operation = {
  operationId: "documentVersions",
  summary: "Every version of a document",
  description: "Without their bodies, the newest first.",
  tag: "Documents",
  access: "query",
  parameters: [idParameter],
  answer: {
    status: 200,
    description: "One for each save.",
    content: {
      "application/json": {
        schema: ref("DocumentVersionList"),
        example: { versions: [oldVersion] },
      },
    },
  },
  problems: ["unknown-document", "registry-unavailable"],
};

const getVersion: Operation = {
  operationId: "documentVersion",
  summary: "A document as it was after one save",
  tag: "Documents",
  access: "query",
  parameters: [
    idParameter,
    {
      name: "version",
      in: "path",
      description: "Its number.",
      schema: { type: "integer" },
      example: 1,
    },
  ],
  answer: {
    status: 200,
    description: "That version.",
    content: {
      "application/json": { schema: ref("DocumentVersion"), example: { ...oldVersion, body } },
    },
  },
  problems: ["unknown-document", "registry-unavailable"],
};

interface WithId {
  readonly Params: { readonly id: string };
}

/** Saved queries, dashboards and the like, with all their versions. */
export function addDocumentRoutes(app: FastifyInstance, { deps }: RouteContext): void {
  const path = `${apiBase}/documents`;
  const documentsOf = (person: Person): Documents => documentsSeenBy(person, deps);

  app.get<{ Querystring: Readonly<Record<string, string>> }>(
    path,
    { config: { operation: getDocuments } },
    async ({ query: { kind, q = "" }, person }) => {
      const filter = { ...(kind && { kind: checkKind(kind) }), text: q };
      return { documents: await documentsOf(person).list(filter) };
    },
  );

  app.post(path, { config: { operation: postDocument } }, async (request, reply) => {
    const given = checkDocumentDraft(await readJsonBody(request));
    const { who, address } = actorOf(request);
    const { draft: created, within } = await preparedDraft(given, null, request.person, deps);
    const documents = documentsOf(request.person);
    return tagged(reply.code(201), await documents.create(created, who, address, within));
  });

  app.get<WithId>(
    `${path}/:id`,
    { config: { operation: getDocument } },
    async ({ params, person }, reply) => tagged(reply, await documentsOf(person).find(params.id)),
  );

  app.put<WithId>(`${path}/:id`, { config: { operation: putDocument } }, async (request, reply) => {
    const save = saveBy(request);
    const given = checkDocumentDraft(await readJsonBody(request));
    const { params, person } = request;
    const documents = documentsOf(person);
    const before = given.kind === "alert" ? await documents.find(params.id) : null;
    const { draft: changed, within } = await preparedDraft(given, before, person, deps);
    return tagged(reply, await documents.save(params.id, changed, { ...save, within }));
  });

  app.delete<WithId>(`${path}/:id`, { config: { operation: deleteDocument } }, async (request) => {
    const { id } = request.params;
    await documentsOf(request.person).delete(id, saveBy(request));
    return { id };
  });

  app.get<WithId>(
    `${path}/:id/versions`,
    { config: { operation: getVersions } },
    async ({ params, person }) => ({ versions: await documentsOf(person).versions(params.id) }),
  );

  app.get<{ Params: { readonly id: string; readonly version: string } }>(
    `${path}/:id/versions/:version`,
    { config: { operation: getVersion } },
    ({ params: { id, version }, person }) =>
      documentsOf(person).version(id, checkVersionNumber(id, version)),
  );
}

/** Rules are kept without their secrets, and with whoever saves them: their queries have the rights of that person. */
async function preparedDraft(
  draft: DocumentDraft,
  before: SavedDocument | null,
  { kind, id, readable }: Person,
  deps: RouteContext["deps"],
): Promise<PreparedRule> {
  if (draft.kind !== "alert") return { draft, within: async () => undefined };
  if (kind === "embed") throw new Error("visitors of embeds save nothing");
  const { query } = checkAlertRule(draft.body);
  await deps.checkAsked(query, readable);
  return deps.alerts.prepare(draft, before, { kind, id });
}

function saveBy(request: FastifyRequest): SaveBy {
  const { who, address } = actorOf(request);
  return { by: who, address, expected: expectedVersion(request) };
}

function checkKind(kind: string): DocumentKind {
  const found = documentKinds.find((one) => one === kind);
  if (found !== undefined) return found;
  const detail = `kind is one of ${documentKinds.join(", ")}; found ${kind.slice(0, 50)}.`;
  throw new HadalError("bad-request", { detail });
}

function checkVersionNumber(id: string, version: string): number {
  if (/^[1-9]\d{0,8}$/.test(version)) return Number(version);
  throw new HadalError("unknown-document", { id: `${id}/${version}`.slice(0, 80) });
}
