import { functionSourceMax } from "../model/expression.js";
import { aggregatesMax } from "../model/query.js";
import {
  functionDescriptionMax,
  functionTrialLimitDefault,
  functionTrialRowsMax,
} from "../model/userFunction.js";
import {
  closedObject,
  type JsonSchema,
  list,
  type NamedSchemas,
  openObject,
  ref,
} from "./jsonSchema.js";

const text: JsonSchema = { type: "string" };
const version: JsonSchema = { type: "integer", minimum: 1 };
const kind: JsonSchema = { enum: ["scalar", "aggregate"] };
const source: JsonSchema = {
  ...{ type: "string", maxLength: functionSourceMax, examples: ["(url) => url.split('/')[0]"] },
  description:
    "JavaScript: `(row) => …` or a function of columns gives a value per row, an object of `init, update, merge, finalize` aggregates rows.",
};
const rows = (parts: JsonSchema) => list({ type: "object" }, parts);

/** Saved functions, and trials of functions. */
export const functionSchemas: NamedSchemas = {
  FunctionDraft: closedObject({
    source,
    "description?": { type: "string", maxLength: functionDescriptionMax },
  }),
  UserFunction: openObject({
    name: ref("Name"),
    version: { ...version, description: "Counts from 1; every change makes the next one." },
    kind,
    source,
    "description?": text,
    savedMs: { type: "integer" },
    example: { type: "boolean", description: "It came with Hadal, and cannot be changed." },
  }),
  FunctionTrial: closedObject(
    {
      source,
      "args?": list(ref("Name"), {
        ...{ maxItems: aggregatesMax, description: "Columns; without them it gets the row." },
      }),
      "rows?": rows({ maxItems: functionTrialRowsMax }),
      "table?": { ...ref("Name"), description: "Its newest rows, instead of `rows`." },
      "limit?": {
        ...{ type: "integer", minimum: 1, maximum: functionTrialRowsMax },
        default: functionTrialLimitDefault,
      },
    },
    { description: "Has either `rows` or `table`." },
  ),
  FunctionTrialResult: openObject({
    kind,
    results: list({
      anyOf: [
        openObject({ value: { type: ["string", "number", "null"] } }),
        openObject({
          error: openObject({ detail: text, "line?": version, "column?": version }),
        }),
      ],
    }),
    rows: rows({ description: "What it was tried on." }),
    log: list(text, { description: "What `console.log` was given." }),
    elapsedMs: { type: "number" },
  }),
};
