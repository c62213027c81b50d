import { apiBase, HadalError, type UserFunction } from "@hadal/sdk";
import { checkFunctionTrial } from "@hadal/sdk/checks";
import type { FastifyInstance, FastifyReply } from "fastify";
import { readJsonBody } from "../body/jsonBody.js";
import type { ApiDeps } from "../context/deps.js";
import {
  deleteFunction,
  getFunction,
  listFunctions,
  putFunction,
  runFunction,
} from "./functionOperations.js";
import { cancelOnDisconnect } from "./queryRoutes.js";

interface Named {
  readonly Params: { readonly name: string };
}

/** Saved functions, and trials of functions that are not saved yet. */
export function addFunctionRoutes(app: FastifyInstance, { functions }: ApiDeps): void {
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
      const expected = readVersion(request.headers["if-match"]);
      const draft = await readJsonBody(request);
      return tagged(reply, await functions.save(request.params.name, draft, expected));
    },
  );

  app.delete<Named>(
    `${apiBase}/functions/:name`,
    { config: { operation: deleteFunction } },
    async ({ params, headers }) => {
      await functions.delete(params.name, readVersion(headers["if-match"]));
      return { name: params.name };
    },
  );

  app.post(
    `${apiBase}/functions/run`,
    { config: { operation: runFunction } },
    async (request, reply) => {
      const trial = checkFunctionTrial(await readJsonBody(request));
      return functions.try(trial, cancelOnDisconnect(reply).signal);
    },
  );
}

function tagged(reply: FastifyReply, found: UserFunction): UserFunction {
  reply.header("etag", `"${found.version}"`);
  return found;
}

/** The version of an entity tag; null where any will do. */
function readVersion(header: string | undefined): number | null {
  if (header === undefined || header === "*") return null;
  const found = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim());
  if (found !== null) return Number(found[1]);
  throw new HadalError("bad-request", {
    detail: `If-Match is the number of a version, such as "3"; found ${header.slice(0, 50)}.`,
  });
}
