import { documentKinds, documentTitleMax } from "../../model/document.js";
import {
  closedObject,
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  openObject,
} from "../jsonSchema.js";
import { number, text } from "../valueSchemas.js";

const version: JsonSchema = {
  ...{ type: "integer", minimum: 1 },
  description: "Counts from 1; every save makes the next one.",
};
const kind: JsonSchema = { enum: [...documentKinds] };
const body: JsonSchema = {
  type: "object",
  description:
    "Of a query: `query`, and `path`, the address of Explore that shows it. Of a dashboard: `Dashboard`. Of an annotation: `AnnotationBody`, or `AnnotationQueryBody` where its rows are the annotations. Of an alert: `AlertRule`.",
};
const user: JsonSchema = nullable({ ...text, description: "Null without sign-in." });

const summary = {
  ...{ id: text, kind, title: text, version },
  ...{ createdMs: number, createdBy: user, changedMs: number, changedBy: user },
  "file?": {
    ...text,
    description: "The server's file that it comes from (`--documents`): it is changed there.",
  },
};
const documentVersion = { version, title: text, savedMs: number, savedBy: user };

/** What people save and share. */
export const documentSchemas: NamedSchemas = {
  DocumentDraft: closedObject({
    "id?": {
      ...{ type: "string", pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" },
      description: "Of a new document, such as one from another server; left out: one is made up.",
    },
    kind,
    title: { type: "string", minLength: 1, maxLength: documentTitleMax },
    body,
  }),
  Document: openObject({ ...summary, body }),
  DocumentList: openObject({ documents: list(openObject(summary)) }),
  DocumentVersion: openObject({ ...documentVersion, body }),
  DocumentVersionList: openObject({ versions: list(openObject(documentVersion)) }),
};
