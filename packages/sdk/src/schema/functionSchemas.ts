import { functionSourceMax } from "../model/expression.js";
import { aggregatesMax } from "../model/query.js";
import { functionDescriptionMax, functionTrialRowsMax } from "../model/userFunction.js";
import {
  closedObject,
  type JsonSchema,
  list,
  type NamedSchemas,
  openObject,
  ref,
} from "./jsonSchema.js";
import { count, integer, number, text } from "./valueSchemas.js";

const functionSource: JsonSchema = {
  type: "string",
  maxLength: functionSourceMax,
  examples: ["(a, b) => a / b"],
};
const functionKind: JsonSchema = { enum: ["scalar", "aggregate"] };
const description: JsonSchema = { type: "string", maxLength: functionDescriptionMax };
const rowsTried = list({ type: "object" }, { maxItems: functionTrialRowsMax });

/** Saved functions, and trials of functions. */
export const functionSchemas: NamedSchemas = {
  FunctionDraft: closedObject({ source: functionSource, "description?": description }),
  UserFunction: openObject({
    name: text,
    version: { ...count, description: "Starts at 1 and grows by 1 with every change." },
    kind: functionKind,
    source: text,
    "description?": text,
    savedMs: number,
    example: {
      type: "boolean",
      description: "Whether it is one of the examples that come with Hadal.",
    },
  }),
  FunctionTrial: {
    description: "A function and the rows to run it on: given ones, or the newest of a table.",
    anyOf: [
      closedObject({
        source: functionSource,
        "args?": list(ref("Name"), { maxItems: aggregatesMax }),
        rows: rowsTried,
        "limit?": { type: "integer", minimum: 1, maximum: functionTrialRowsMax },
      }),
      closedObject({
        source: functionSource,
        "args?": list(ref("Name"), { maxItems: aggregatesMax }),
        table: ref("Name"),
        "limit?": { type: "integer", minimum: 1, maximum: functionTrialRowsMax },
      }),
    ],
  },
  FunctionTrialResult: openObject({
    kind: functionKind,
    results: list({
      anyOf: [
        openObject({ value: { type: ["string", "number", "null"] } }),
        openObject({
          error: openObject({ detail: text, "line?": integer, "column?": integer }),
        }),
      ],
    }),
    rows: list({ type: "object" }),
    log: list(text, { description: "Output of `console.log`." }),
    elapsedMs: number,
  }),
};
