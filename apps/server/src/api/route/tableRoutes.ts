import { randomUUID } from "node:crypto";
import { apiBase, completenessHeader, printCompletenessLine } from "@hadal/sdk";
import { checkTableSettings } from "@hadal/sdk/checks";
import type { FastifyInstance } from "fastify";
import { AnswerSession } from "../../query/answerSession.js";
import { readJsonBody } from "../body/jsonBody.js";
import type { ApiDeps } from "../context/deps.js";
import type { RunningQueries } from "../context/runningQueries.js";
import { readParameters } from "../docs/operation.js";
import { checkValuesColumn, readValues, valuesLimitDefault, valuesQuery } from "./columnValues.js";
import { cancelOnDisconnect } from "./queryRoutes.js";
import { deleteTable, getTable, getTables, getValues, putSettings } from "./tableOperations.js";

export function addTableRoutes(app: FastifyInstance, deps: ApiDeps, running: RunningQueries): void {
  app.get(`${apiBase}/tables`, { config: { operation: getTables } }, () => deps.tables());
  app.get<{ Params: { table: string } }>(
    `${apiBase}/tables/:table`,
    { config: { operation: getTable } },
    ({ params }) => deps.table(params.table),
  );

  app.put<{ Params: { table: string } }>(
    `${apiBase}/tables/:table/settings`,
    { config: { operation: putSettings } },
    async (request) => {
      const { name } = await deps.table(request.params.table);
      const settings = checkTableSettings(await readJsonBody(request));
      await deps.setTable(name, settings);
      return settings;
    },
  );

  app.delete<{ Params: { table: string } }>(
    `${apiBase}/tables/:table`,
    { config: { operation: deleteTable } },
    async ({ params }) => {
      const { name, rows } = await deps.table(params.table);
      await deps.deleteTable(name);
      return { table: name, rows };
    },
  );

  app.get<{ Params: { table: string; column: string } }>(
    `${apiBase}/tables/:table/columns/:column/values`,
    { config: { operation: getValues } },
    async (request, reply) => {
      const { table, column } = request.params;
      checkValuesColumn(column);
      const parameters = readParameters(request.query, getValues);
      const limit = Number(parameters.get("limit") ?? valuesLimitDefault);
      const prefix = String(parameters.get("prefix") ?? "");
      const from = parameters.get("from");
      const to = parameters.get("to");
      const query = valuesQuery(await deps.table(table), { column, prefix, from, to, limit });
      const id = randomUUID();
      const controller = cancelOnDisconnect(reply);
      const result = await running.run(id, query, { client: request.ip, controller }, (signal) =>
        // The list does not say of when it is: it is told to no session.
        deps.ask(query, { id, signal, session: new AnswerSession(request.ip) }),
      );
      // The body is a plain list: what stands behind it travels beside it.
      reply.header(completenessHeader, printCompletenessLine(result.completeness));
      return readValues(result, prefix, limit);
    },
  );
}
