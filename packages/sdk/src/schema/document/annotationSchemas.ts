import {
  annotationTablesMax,
  annotationTagMax,
  annotationTagsMax,
  annotationTextMax,
} from "../../model/annotation.js";
import { documentTitleMax } from "../../model/document.js";
import { closedObject, list, type NamedSchemas, nullable, openObject, ref } from "../jsonSchema.js";
import { number, text, anyTime as time } from "../valueSchemas.js";

const body = {
  time,
  "until?": { ...time, description: "Its end, where it lasts." },
  "text?": { type: "string", maxLength: annotationTextMax },
  "tags?": list({ type: "string", maxLength: annotationTagMax }, { maxItems: annotationTagsMax }),
  "tables?": list(ref("Name"), {
    maxItems: annotationTablesMax,
    description: "Shown on charts of these tables; absent or empty: of every table.",
  }),
};

const queryBody = {
  query: closedObject(
    { table: ref("Name"), "filter?": list(ref("Filter")), "derive?": list(ref("DerivedColumn")) },
    { description: "Rows of a table; the chart gives the times." },
  ),
  titleColumn: {
    ...ref("Name"),
    description: "Names each annotation; a row without a value has the document's title.",
  },
  "textColumn?": ref("Name"),
  "tagColumns?": list(ref("Name"), { maxItems: annotationTagsMax }),
  "tables?": list(ref("Name"), {
    maxItems: annotationTablesMax,
    description: "Shown on charts of these tables; absent or empty: of the query's own table.",
  }),
};

/** What happened when. */
export const annotationSchemas: NamedSchemas = {
  AnnotationBody: closedObject(body, {
    description: "Its times do not move with the clock; its title is the document's.",
  }),
  AnnotationQueryBody: closedObject(queryBody, {
    description: "Each row that matches is an annotation, at its time.",
  }),
  AnnotationQuery: openObject({
    ...{ id: text, version: { type: "integer", minimum: 1 }, title: text },
    ...queryBody,
    createdBy: nullable(text),
  }),
  AnnotationDraft: closedObject({
    title: { type: "string", minLength: 1, maxLength: documentTitleMax },
    ...body,
  }),
  Annotation: openObject({
    ...{ id: text, version: { type: "integer", minimum: 1 }, title: text, timeMs: number },
    untilMs: nullable({ ...number, description: "Null: it is a moment." }),
    ...{ text, tags: list(text) },
    tables: nullable({
      ...list(text),
      description: "Those that the reader may read; null: every table.",
    }),
    createdBy: nullable(text),
    "alert?": { ...text, description: "The alert rule whose firing it is." },
  }),
  AnnotationList: openObject({
    annotations: list(ref("Annotation")),
    queries: list(ref("AnnotationQuery")),
  }),
};
