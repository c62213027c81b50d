import { randomUUID } from "node:crypto";
import { apiBase, checkTableSettings, HadalError } from "@hadal/sdk";
import type { FastifyInstance } from "fastify";
import {
  checkValuesColumn,
  readValues,
  valuesLimitDefault,
  valuesLimitMax,
  valuesQuery,
} from "./columnValues.js";
import type { ApiDeps } from "./deps.js";
import { readJsonBody } from "./jsonBody.js";
import { cancelOnDisconnect, completenessHeader } from "./queryRoutes.js";
import { printCompleteness } from "./resultFormats.js";
import type { RunningQueries } from "./runningQueries.js";

type Parameters = Readonly<Record<string, string | string[] | undefined>>;

export function addTableRoutes(app: FastifyInstance, deps: ApiDeps, running: RunningQueries): void {
  app.get(`${apiBase}/tables`, () => deps.tables());
  app.get<{ Params: { table: string } }>(`${apiBase}/tables/:table`, ({ params }) =>
    deps.table(params.table),
  );

  app.put<{ Params: { table: string } }>(`${apiBase}/tables/:table/settings`, async (request) => {
    const { name } = await deps.table(request.params.table);
    const settings = checkTableSettings(await readJsonBody(request));
    await deps.setTable(name, settings);
    return settings;
  });

  app.delete<{ Params: { table: string } }>(`${apiBase}/tables/:table`, async ({ params }) => {
    const { name, rows } = await deps.table(params.table);
    await deps.deleteTable(name);
    return { table: name, rows };
  });

  app.get<{ Params: { table: string; column: string }; Querystring: Parameters }>(
    `${apiBase}/tables/:table/columns/:column/values`,
    async (request, reply) => {
      const { table, column } = request.params;
      checkValuesColumn(column);
      const limit = readLimit(single(request.query, "limit"));
      const prefix = single(request.query, "prefix") ?? "";
      const from = single(request.query, "from");
      const to = single(request.query, "to");
      const query = valuesQuery(await deps.table(table), { column, prefix, from, to, limit });
      const id = randomUUID();
      const result = await running.run(id, query, cancelOnDisconnect(reply), (signal) =>
        deps.ask(query, { id, signal }),
      );
      // The body is a plain list: what stands behind it travels beside it.
      reply.header(completenessHeader, printCompleteness(result.completeness));
      return readValues(result, prefix, limit);
    },
  );
}

function single(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  if (value === undefined || typeof value === "string") return value;
  throw new HadalError("bad-request", { detail: `Parameter \`${name}\` is given twice.` });
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return valuesLimitDefault;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= valuesLimitMax) return limit;
  throw new HadalError("bad-request", {
    detail: `\`limit\` is ${text.slice(0, 50)}; it must be a whole number from 1 to ${valuesLimitMax} (valuesLimitMax).`,
  });
}
