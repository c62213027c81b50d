import { apiBase, functionTrialRowsMax, type UserFunction } from "@hadal/sdk";
import { checkFunctionTrial } from "@hadal/sdk/checks";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { readJsonBody } from "../body/jsonBody.js";
import { actorOf } from "../context/requester.js";
import type { Operation, Parameter } from "../docs/operation.js";
import { cancelOnDisconnect } from "./cancelOnDisconnect.js";
import { etag, expectedVersion, ifMatch, tagged } from "./ifMatch.js";
import type { RouteContext } from "./routeContext.js";

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

const listFunctions: Operation = {
  operationId: "listFunctions",
  summary: "All saved functions",
  tag: "Functions",
  access: "query",
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

const getFunction: Operation = {
  operationId: "getFunction",
  summary: "One saved function",
  tag: "Functions",
  access: "query",
  parameters: [nameParameter],
  answer: {
    status: 200,
    description: "The function as it is now.",
    headers: etag,
    content: { "application/json": { schema: ref("UserFunction"), example: saved } },
  },
  problems: ["unknown-function"],
};

const putFunction: Operation = {
  operationId: "saveFunction",
  summary: "Save a function in JavaScript under a name",
  description:
    "`(a, b) => …` gives a value per row, an object of `init, update, merge, finalize` aggregates rows. Numbers are JavaScript's: of integers beyond 2^53 a function sees the nearest double. Queries name it in `derive`, in aggregates and in SQL. Every change makes the next version.",
  tag: "Functions",
  access: "save",
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
  problems: ["invalid-query", "function-failed", "registry-unavailable"],
};

const deleteFunction: Operation = {
  operationId: "deleteFunction",
  summary: "Remove a saved function",
  tag: "Functions",
  access: "save",
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
  problems: ["unknown-function", "registry-unavailable"],
};

const runFunction: Operation = {
  operationId: "tryFunction",
  summary: "Try a function that need not be saved",
  description: `On given rows (at most ${functionTrialRowsMax}), or on the newest rows of a table.`,
  tag: "Functions",
  access: "save",
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

interface Named {
  readonly Params: { readonly name: string };
}

/** Saved functions, and trials of functions that are not saved yet. */
export function addFunctionRoutes(
  app: FastifyInstance,
  { deps: { functions } }: RouteContext,
): void {
  app.get(`${apiBase}/functions`, { config: { operation: listFunctions } }, async () =>
    functions.list(),
  );

  app.get<Named>(
    `${apiBase}/functions/:name`,
    { config: { operation: getFunction } },
    async ({ params }, reply) => tagged(reply, functions.find(params.name)),
  );

  app.put<Named>(
    `${apiBase}/functions/:name`,
    { config: { operation: putFunction } },
    async (request, reply) => {
      const expected = expectedVersion(request);
      const draft = await readJsonBody(request);
      return tagged(
        reply,
        await functions.save(request.params.name, draft, changeBy(request, expected)),
      );
    },
  );

  app.delete<Named>(
    `${apiBase}/functions/:name`,
    { config: { operation: deleteFunction } },
    async (request) => {
      const { name } = request.params;
      await functions.delete(name, changeBy(request, expectedVersion(request)));
      return { name };
    },
  );

  app.post(
    `${apiBase}/functions/run`,
    { config: { operation: runFunction } },
    async (request, reply) => {
      const trial = checkFunctionTrial(await readJsonBody(request));
      const { readable } = request.person;
      return functions.try(trial, { signal: cancelOnDisconnect(reply).signal, readable });
    },
  );
}

function changeBy(request: FastifyRequest, expected: number | null) {
  const { who, address } = actorOf(request);
  return { expected, by: who, address };
}
