import {
  type Annotation,
  type AnnotationDraft,
  type AnnotationFilter,
  type AnnotationQuery,
  apiBase,
  HadalError,
} from "@hadal/sdk";
import { checkAnnotationDraft } from "@hadal/sdk/checks";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import type { Person } from "../../access/person.js";
import { everything } from "../../base/access/readable.js";
import { annotationFor, documentOfAnnotation } from "../../registry/document/annotations.js";
import { readJsonBody } from "../body/jsonBody.js";
import { annotationsSeenBy, isReadableBy } from "../context/readerDocuments.js";
import { actorOf } from "../context/requester.js";
import { type Operation, type Parameter, readParameters } from "../docs/operation.js";
import type { RouteContext } from "./routeContext.js";

const draft: AnnotationDraft = {
  ...{ time: "2026-11-21T10:00:00Z", title: "Release 4.2", text: "New checkout" },
  ...{ tags: ["release"], tables: ["visits"] },
};
const annotation: Annotation = {
  ...{ id: "0c2e7d6a-55f1-4f4e-9d55-0c9b0f6a1f10", version: 1, title: "Release 4.2" },
  ...{ timeMs: 1795255200000, untilMs: null, text: "New checkout", tags: ["release"] },
  ...{ tables: ["visits"], createdBy: null },
};

const query: AnnotationQuery = {
  ...{ id: "5b0d7f0a-4d0e-4c83-9a57-0d9c5b7e2f11", version: 1, title: "Releases" },
  query: { table: "deploys", filter: [{ column: "env", op: "=", value: "prod" }] },
  ...{ titleColumn: "version", tagColumns: ["team"], tables: ["visits"], createdBy: null },
};

const bound = (name: string, description: string, example: string): Parameter => ({
  ...{ name, in: "query", description, example },
  schema: { type: "string", minLength: 1 },
});

const getAnnotations: Operation = {
  operationId: "listAnnotations",
  summary: "Annotations of a time range",
  description:
    "By time; of more than 1,000 the newest. An annotation of several tables names those that may be read. `/documents/{id}` changes and deletes it. `queries` are documents of the kind `annotation` whose rows are annotations: a chart asks for the rows of its range, with the reader's own rights.",
  tag: "Documents",
  access: "query",
  parameters: [
    bound("from", "Those that end here or later.", "2026-11-21T00:00:00Z"),
    bound("to", "Those that begin before.", "2026-11-22T00:00:00Z"),
    bound("table", "Those of this table, and those of every table.", "visits"),
  ],
  answer: {
    status: 200,
    description: "All that match and may be seen.",
    content: {
      "application/json": {
        schema: ref("AnnotationList"),
        example: { annotations: [annotation], queries: [query] },
      },
    },
  },
  problems: ["bad-request", "time-range-invalid", "registry-unavailable"],
};

const postAnnotation: Operation = {
  operationId: "createAnnotation",
  summary: "Say what happened when",
  description:
    "Shown on charts over time of its `tables`, or of every table. It is a document of the kind `annotation`. Relative times, such as `now`, are fixed at the server's clock.",
  tag: "Documents",
  access: "save",
  body: { content: { "application/json": { schema: ref("AnnotationDraft"), example: draft } } },
  answer: {
    status: 201,
    description: "The annotation as it is saved.",
    content: { "application/json": { schema: ref("Annotation"), example: annotation } },
  },
  problems: [
    ...(["invalid-query", "bad-request", "time-range-missing", "time-range-invalid"] as const),
    ...(["unknown-table", "registry-unavailable"] as const),
  ],
};

/** What happened when, for charts over time. */
export function addAnnotationRoutes(app: FastifyInstance, { deps }: RouteContext): void {
  const path = `${apiBase}/annotations`;

  app.get(path, { config: { operation: getAnnotations } }, async ({ query, person }) => {
    const given = readParameters(query, getAnnotations);
    const textOf = (name: string): string | undefined => {
      const value = given.get(name);
      return value === undefined ? undefined : String(value);
    };
    const [table, from, to] = ["table", "from", "to"].map(textOf);
    const filter: AnnotationFilter = {
      ...(table !== undefined && { table }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    };
    return annotationsSeenBy(person, filter, deps);
  });

  app.post(path, { config: { operation: postAnnotation } }, async (request, reply) => {
    const created = checkAnnotationDraft(await readJsonBody(request), Date.now());
    const { person } = request;
    refuseUnreadable(created, person);
    const { who, address } = actorOf(request);
    const saved = await deps.documents.create(documentOfAnnotation(created), who, address);
    return reply.code(201).send(annotationFor(saved, isReadableBy(person)));
  });
}

/** To write on charts of a table takes a grant for it. A release may precede the table's first row. */
function refuseUnreadable({ tables = [] }: AnnotationDraft, { readable }: Person): void {
  if (readable === everything) return;
  const table = tables.find((one) => readable.of(one) === null);
  if (table !== undefined) throw new HadalError("unknown-table", { table, nearest: "" });
}
