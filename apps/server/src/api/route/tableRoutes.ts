import { randomUUID } from "node:crypto";
import {
  apiBase,
  completenessHeader,
  HadalError,
  nameFault,
  printCompletenessLine,
  type TableDetail,
} from "@hadal/sdk";
import { checkTableSettings } from "@hadal/sdk/checks";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import type { Person } from "../../access/person.js";
import { AnswerSession } from "../../query/answerSession.js";
import { readJsonBody } from "../body/jsonBody.js";
import { actorOf, clientOfRequester, requesterOf } from "../context/requester.js";
import { type Operation, readParameters, tableParameter } from "../docs/operation.js";
import { cancelOnDisconnect } from "./cancelOnDisconnect.js";
import {
  checkValuesColumn,
  readValues,
  valuesLimitDefault,
  valuesLimitMax,
  valuesQuery,
  withinLongest,
} from "./columnValues.js";
import type { RouteContext } from "./routeContext.js";

const { columns, segments, bookBytes, thinning, columnSettings, ...info }: TableDetail = {
  name: "visits",
  rows: 1_000_000,
  bytes: 14_100_000,
  bytesPerRow: 14.1,
  compressionRatio: 4.2,
  fromMs: 1795168000000,
  toMs: 1795254399999,
  columns: [
    {
      name: "time",
      type: "int",
      decimals: 0,
      rows: 1_000_000,
      bytes: 1_900_000,
      compressionRatio: 4.2,
    },
    {
      name: "ms",
      type: "int",
      decimals: 0,
      unit: "ms",
      rows: 999_998,
      bytes: 2_000_000,
      compressionRatio: 4,
    },
  ],
  segments: 16,
  bookBytes: 1024,
  retention: { maxAgeMs: 2_592_000_000, maxBytes: null },
  thinning: [
    { afterMs: 86_400_000, keepOneIn: 10, groups: ["service"], keepAtLeast: 20 },
    { afterMs: 604_800_000, keepOneIn: 100, key: "user_id" },
  ],
  columnSettings: [{ name: "price", type: "int", decimals: 2 }],
};

const getTables: Operation = {
  operationId: "listTables",
  summary: "All tables",
  tag: "Tables",
  access: "query",
  answer: {
    status: 200,
    description: "The tables, in alphabetical order.",
    content: {
      "application/json": { schema: { type: "array", items: ref("TableInfo") }, example: [info] },
    },
  },
  problems: ["no-leaves"],
};

const getTable: Operation = {
  operationId: "describeTable",
  summary: "One table with its columns",
  tag: "Tables",
  access: "query",
  parameters: [tableParameter],
  answer: {
    status: 200,
    description: "The table.",
    content: {
      "application/json": {
        schema: ref("TableDetail"),
        example: { ...info, columns, segments, bookBytes, thinning, columnSettings },
      },
    },
  },
  problems: ["unknown-table"],
};

const putSettings: Operation = {
  operationId: "setTable",
  summary: "Settings of a table",
  description:
    "Replaces all settings, also of a table that has no rows yet: its first rows are read by them. What is left out is back at its default. `retention` says when rows go, `thinning` of how many old rows one stays (its `sample_rate` grows by as much, so that counts and sums stay right on average and say how sure they are), `columns` how values of rows to come are read. Rows that are stored keep their types and decimals; queries over both answer with the wider of them.",
  tag: "Tables",
  access: "operate",
  parameters: [tableParameter],
  body: {
    content: {
      "application/json": {
        schema: ref("TableSettings"),
        example: { retention: { maxAgeMs: 2_592_000_000 }, thinning, columns: columnSettings },
      },
    },
  },
  answer: {
    status: 200,
    description: "The settings as they are now.",
    content: {
      "application/json": {
        schema: ref("TableSettings"),
        example: { retention: info.retention, thinning, columns: columnSettings },
      },
    },
  },
  problems: [
    "unknown-table",
    "invalid-name",
    "invalid-query",
    "bad-request",
    "registry-unavailable",
  ],
};

const deleteTable: Operation = {
  operationId: "deleteTable",
  summary: "Remove a table with all its rows",
  tag: "Tables",
  access: "operate",
  parameters: [tableParameter],
  answer: {
    status: 200,
    description: "The table is gone, and so are its settings.",
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["table", "rows"],
          properties: { table: { type: "string" }, rows: { type: "integer" } },
        },
        example: { table: "visits", rows: 1_000_000 },
      },
    },
  },
  problems: ["unknown-table", "registry-unavailable"],
};

const getValues: Operation = {
  operationId: "listValues",
  summary: "Values of a column with their counts",
  description:
    "Over all rows of the range, most frequent first. Of a set or vector the elements are listed: a row counts once for each distinct element it has.",
  tag: "Tables",
  access: "query",
  isForEmbeds: true,
  parameters: [
    tableParameter,
    {
      name: "column",
      in: "path",
      description: "Name of the column, escaped as in any URL.",
      schema: ref("Name"),
      example: "page",
    },
    {
      name: "prefix",
      in: "query",
      description: "Only values whose text starts so.",
      schema: { type: "string" },
      example: "/c",
    },
    {
      name: "from",
      in: "query",
      description: "Start of the range as in a query; the oldest row when left out.",
      schema: { type: "string" },
    },
    {
      name: "to",
      in: "query",
      description: "End of the range as in a query; after the newest row when left out.",
      schema: { type: "string" },
    },
    {
      name: "limit",
      in: "query",
      description: "Most values.",
      schema: {
        type: "integer",
        minimum: 1,
        maximum: valuesLimitMax,
        default: valuesLimitDefault,
      },
      example: 10,
    },
  ],
  answer: {
    status: 200,
    description: "The values.",
    headers: {
      "X-Hadal-Completeness": { description: "`0.977; rows 3/4; leaves 43/44; missing leaf-17`" },
    },
    content: {
      "application/json": {
        schema: { type: "array", items: ref("ColumnValue") },
        example: [{ value: "/cart", count: 812 }],
      },
    },
  },
  problems: ["unknown-table", "unknown-column", "unsupported", "time-range-invalid"],
};

export function addTableRoutes(app: FastifyInstance, context: RouteContext): void {
  const { deps } = context;
  /** What concerns all rows of a table is for those who may read them. */
  const checkWhole = (name: string, { readable }: Person): void => {
    const { rows, hiddenColumns } = readable.of(name) ?? { rows: [], hiddenColumns: [] };
    if (rows === null && hiddenColumns.length === 0) return;
    const detail = `You may read only some rows or columns of ${name}.`;
    throw new HadalError("forbidden", { detail });
  };
  const findWhole = async (name: string, person: Person): Promise<TableDetail> => {
    const table = await deps.table(name, person.readable);
    checkWhole(name, person);
    return table;
  };
  /** Whether it is refused because it has no rows yet, to someone who could see it. Throws `forbidden`. */
  const isNew = (error: unknown, name: string, person: Person): boolean => {
    const isUnknown = error instanceof HadalError && error.code === "unknown-table";
    if (!isUnknown || person.readable.of(name) === null) return false;
    checkWhole(name, person);
    return true;
  };
  app.get(`${apiBase}/tables`, { config: { operation: getTables } }, ({ person }) =>
    deps.tables(person.readable),
  );
  app.get<{ Params: { table: string } }>(
    `${apiBase}/tables/:table`,
    { config: { operation: getTable } },
    ({ params, person }) => deps.table(params.table, person.readable),
  );

  app.put<{ Params: { table: string } }>(
    `${apiBase}/tables/:table/settings`,
    { config: { operation: putSettings } },
    async (request) => {
      const { person, params } = request;
      const { table } = params;
      const fault = nameFault(table);
      if (fault !== null) throw new HadalError("invalid-name", { detail: fault });
      await findWhole(table, person).catch((error: unknown) => {
        if (!isNew(error, table, person)) throw error;
      });
      const settings = checkTableSettings(await readJsonBody(request));
      await deps.setTable(table, settings, actorOf(request));
      return settings;
    },
  );

  app.delete<{ Params: { table: string } }>(
    `${apiBase}/tables/:table`,
    { config: { operation: deleteTable } },
    async (request) => {
      const { person, params } = request;
      const { table } = params;
      const found = await findWhole(table, person).catch(async (error: unknown) => {
        const hadSettings =
          isNew(error, table, person) && (await deps.removeSettings(table, actorOf(request)));
        if (!hadSettings) throw error;
        return null;
      });
      if (found === null) return { table, rows: 0 };
      await deps.deleteTable(table, actorOf(request));
      return { table, rows: found.rows };
    },
  );

  addValuesRoute(app, context);
}

function addValuesRoute(app: FastifyInstance, { deps, running }: RouteContext): void {
  app.get<{ Params: { table: string; column: string } }>(
    `${apiBase}/tables/:table/columns/:column/values`,
    { config: { operation: getValues } },
    async (request, reply) => {
      const { table, column } = request.params;
      checkValuesColumn(column);
      const parameters = readParameters(request.query, getValues);
      const limit = Number(parameters.get("limit") ?? valuesLimitDefault);
      const prefix = String(parameters.get("prefix") ?? "");
      const { readable } = request.person;
      const times = { from: parameters.get("from"), to: parameters.get("to") };
      const longestMs = readable.of(table)?.bounds?.rangeMsMax;
      const asked = { column, prefix, limit, ...withinLongest(times, longestMs, deps.nowMs()) };
      const query = valuesQuery(await deps.table(table, readable), asked);
      const id = randomUUID();
      const controller = cancelOnDisconnect(reply);
      const requester = requesterOf(request);
      // The list has no `asOf`: it belongs to no session.
      const session = new AnswerSession(clientOfRequester(requester));
      const result = await running.run(id, query, { requester, controller }, (signal) =>
        deps.ask(query, { id, signal, session, readable }),
      );
      // The body is a plain list: its completeness is in a header.
      reply.header(completenessHeader, printCompletenessLine(result.completeness));
      return readValues(result, prefix, limit);
    },
  );
}
