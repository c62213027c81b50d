import type { FunctionTrial, FunctionTrialResult, UserFunction } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { Operation, Parameter } from "./operation.js";

const domain: UserFunction = {
  name: "domain",
  version: 3,
  kind: "scalar",
  source: "(url) => url.split('/')[0]",
  description: "The host of a URL.",
  savedMs: 1795254399999,
  example: false,
};

const nameParameter: Parameter = {
  name: "name",
  in: "path",
  description: "Name of the function, escaped as in any URL.",
  schema: ref("Name"),
  example: "domain",
};

const versionParameter: Parameter = {
  name: "If-Match",
  in: "header",
  description: "The version that is to be changed, as its `ETag` has it; any when left out.",
  schema: { type: "string" },
  example: '"3"',
};

const oneFunction = {
  content: { "application/json": { schema: ref("UserFunction"), example: domain } },
  headers: { ETag: { description: "The version, in quotes." } },
};

export const getFunctions: Operation = {
  operationId: "listFunctions",
  summary: "Saved functions, and the examples that come with Hadal",
  tag: "Functions",
  answer: {
    status: 200,
    description: "The functions, in alphabetical order.",
    content: {
      "application/json": {
        schema: { type: "array", items: ref("UserFunction") },
        example: [domain],
      },
    },
  },
};

export const getFunction: Operation = {
  operationId: "describeFunction",
  summary: "One function in its newest version",
  tag: "Functions",
  parameters: [nameParameter],
  answer: { status: 200, description: "The function.", ...oneFunction },
  problems: ["unknown-function"],
};

export const putFunction: Operation = {
  operationId: "saveFunction",
  summary: "Saves the next version of a function",
  description:
    "Queries name it in `derive`, aggregates and SQL; answers tell which version they used.",
  tag: "Functions",
  parameters: [nameParameter, versionParameter],
  body: {
    content: {
      "application/json": {
        schema: ref("FunctionDraft"),
        example: { source: domain.source, description: "The host of a URL." },
      },
    },
  },
  answer: { status: 200, description: "The function as it is saved.", ...oneFunction },
  problems: ["invalid-query", "function-invalid"],
};

export const deleteFunction: Operation = {
  operationId: "deleteFunction",
  summary: "Removes a function with all its versions",
  tag: "Functions",
  parameters: [nameParameter, versionParameter],
  answer: {
    status: 200,
    description: "Its name.",
    content: {
      "application/json": {
        schema: { type: "object", properties: { name: ref("Name") }, required: ["name"] },
        example: { name: "domain" },
      },
    },
  },
  problems: ["unknown-function"],
};

const trial: FunctionTrial = {
  source: domain.source,
  args: ["url"],
  rows: [{ url: "hadal.example/docs" }],
};

const tried: FunctionTrialResult = {
  kind: "scalar",
  results: [{ value: "hadal.example" }],
  rows: [{ url: "hadal.example/docs" }],
  log: [],
  elapsedMs: 4.2,
};

export const runFunction: Operation = {
  operationId: "tryFunction",
  summary: "Tries a function on rows, before it is saved",
  tag: "Functions",
  body: { content: { "application/json": { schema: ref("FunctionTrial"), example: trial } } },
  answer: {
    status: 200,
    description: "A value or an error per row, or one for all rows of an aggregate.",
    content: { "application/json": { schema: ref("FunctionTrialResult"), example: tried } },
  },
  problems: ["invalid-query", "function-invalid", "function-limit"],
};
