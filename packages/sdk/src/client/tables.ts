import type { TableDetail, TableInfo, TableSettings } from "../model/schema.js";
import { completenessHeader, parseCompletenessLine } from "../wire/completenessLine.js";
import { routes } from "../wire/routes.js";
import type { ColumnValues, HadalClient } from "./hadalClient.js";
import type { Http } from "./http.js";
import { jsonRequest, printParameters } from "./requests.js";

type Tables = Pick<HadalClient, "tables" | "table" | "setTable" | "deleteTable" | "values">;

export function createTables(http: Http): Tables {
  return {
    async tables() {
      return (await http.requestJson(routes.tables())) as readonly TableInfo[];
    },
    async table(name) {
      return (await http.requestJson(routes.table(name))) as TableDetail;
    },
    async setTable(name, settings) {
      return (await http.requestJson(
        routes.settings(name),
        jsonRequest("PUT", settings),
      )) as TableSettings;
    },
    async deleteTable(name) {
      await http.requestJson(routes.table(name), { method: "DELETE" });
    },
    async values(table, column, { signal, ...parameters } = {}) {
      const path = routes.values(table, column) + printParameters(parameters);
      const init = { signal: signal ?? null };
      const { body, headers } = await http.requestAnswer(path, init);
      const completeness = parseCompletenessLine(headers.get(completenessHeader));
      return Object.defineProperty(body as ColumnValues, "completeness", { value: completeness });
    },
  };
}
