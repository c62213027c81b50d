import { problemCodes } from "../model/problem/problem.js";
import { list, type NamedSchemas, openObject, ref } from "./jsonSchema.js";
import { count, integer, text } from "./valueSchemas.js";

/** Errors. */
export const problemSchemas: NamedSchemas = {
  ProblemPart: openObject({
    "path?": { ...text, description: "Path in a JSON input, such as `filter[0].op`." },
    "line?": count,
    "column?": { description: "Column of a text, from 1, or of a row.", anyOf: [integer, text] },
    code: text,
    detail: text,
  }),
  Problem: openObject(
    {
      type: { ...text, examples: ["urn:hadal:problem:unknown-column"] },
      title: text,
      status: integer,
      code: { enum: Object.keys(problemCodes) },
      detail: text,
      "errors?": list(ref("ProblemPart")),
    },
    { description: "Problem details of RFC 9457 with a stable `code`." },
  ),
};
