import { functionTrialRowsMax, type UserFunction } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { Operation, Parameter } from "../docs/operation.js";

const source = "(ms) => ms > 1000 ? 'slow' : 'fast'";
const saved: UserFunction = {
  name: "speed",
  version: 1,
  kind: "scalar",
  source,
  description: "Slow from a second on.",
  savedMs: 1795254000000,
  example: false,
};

const nameParameter: Parameter = {
  name: "name",
  in: "path",
  description: "Name of the function, escaped as in any URL.",
  schema: ref("Name"),
  example: "speed",
};

const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  description: 'The version that is to be replaced, such as `"3"`; without it any.',
  schema: { type: "string" },
};

const etag = { ETag: { description: "The version, in quotes." } };

export const listFunctions: Operation = {
  operationId: "listFunctions",
  summary: "All saved functions",
  tag: "Functions",
  answer: {
    status: 200,
    description: "Those that came with Hadal included.",
    content: {
      "application/json": {
        schema: { type: "array", items: ref("UserFunction") },
        example: [saved],
      },
    },
  },
};

export const getFunction: Operation = {
  operationId: "getFunction",
  summary: "One saved function",
  tag: "Functions",
  parameters: [nameParameter],
  answer: {
    status: 200,
    description: "The function as it is now.",
    headers: etag,
    content: { "application/json": { schema: ref("UserFunction"), example: saved } },
  },
  problems: ["unknown-function"],
};

export const putFunction: Operation = {
  operationId: "saveFunction",
  summary: "Save a function in JavaScript under a name",
  description:
    "`(a, b) => …` gives a value per row, an object of `init, update, merge, finalize` aggregates rows. Numbers are JavaScript's: of integers beyond 2^53 a function sees the nearest double. Queries name it in `derive`, in aggregates and in SQL. Every change makes the next version.",
  tag: "Functions",
  parameters: [nameParameter, ifMatch],
  body: {
    content: {
      "application/json": {
        schema: ref("FunctionDraft"),
        example: { source, description: "Slow from a second on." },
      },
    },
  },
  answer: {
    status: 200,
    description: "The function as it is saved.",
    headers: etag,
    content: { "application/json": { schema: ref("UserFunction"), example: saved } },
  },
  problems: ["invalid-query", "function-failed", "not-saved"],
};

export const deleteFunction: Operation = {
  operationId: "deleteFunction",
  summary: "Remove a saved function",
  tag: "Functions",
  parameters: [nameParameter, ifMatch],
  answer: {
    status: 200,
    description: "It is gone.",
    content: {
      "application/json": {
        schema: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
        example: { name: "speed" },
      },
    },
  },
  problems: ["unknown-function", "not-saved"],
};

export const runFunction: Operation = {
  operationId: "tryFunction",
  summary: "Try a function that need not be saved",
  description: `On given rows (at most ${functionTrialRowsMax}), or on the newest rows of a table.`,
  tag: "Functions",
  body: {
    content: {
      "application/json": {
        schema: ref("FunctionTrial"),
        example: { source, args: ["ms"], rows: [{ ms: 81 }, { ms: 2000 }] },
      },
    },
  },
  answer: {
    status: 200,
    description: "A value or an error for each row, or one for all rows of an aggregate.",
    content: {
      "application/json": {
        schema: ref("FunctionTrialResult"),
        example: {
          kind: "scalar",
          results: [{ value: "fast" }, { value: "slow" }],
          rows: [{ ms: 81 }, { ms: 2000 }],
          log: [],
          elapsedMs: 3.2,
        },
      },
    },
  },
  problems: [
    "invalid-query",
    "function-failed",
    "function-limit",
    "sandbox-refused",
    "unknown-table",
  ],
};
