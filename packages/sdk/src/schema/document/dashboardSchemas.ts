import {
  dashboardColumns,
  dashboardIgnores,
  dashboardRowsMax,
  dashboardSectionsMax,
  dashboardTextMax,
  dashboardTileRowsMax,
  dashboardTilesMax,
  dashboardTitleMax,
  dashboardVariablesMax,
} from "../../model/dashboard/dashboard.js";
import {
  closedObject,
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  ref,
} from "../jsonSchema.js";
import { shortText as id, text, anyTime as time } from "../valueSchemas.js";

const title: JsonSchema = { type: "string", maxLength: dashboardTitleMax };
const filters = list(ref("Filter"));
const whole = (minimum: number, maximum: number, description: string): JsonSchema => ({
  ...{ type: "integer", minimum, maximum, description },
});

const place = {
  id: { ...id, description: "Unique in the board." },
  "title?": title,
  "x?": whole(0, dashboardColumns - 1, "Column of the grid."),
  "y?": whole(0, dashboardRowsMax, "Row of the grid."),
  "w?": whole(1, dashboardColumns, "Columns; x + w is at most 12."),
  "h?": whole(1, dashboardTileRowsMax, "Rows."),
};
const drawing = {
  "view?": { ...id, description: "Id of a view as in the page's address; default timeseries." },
  "viewOptions?": {
    ...{ type: "object", additionalProperties: { type: "string" } },
    description: "The view's own options by name.",
  },
  "ignores?": list(
    { enum: [...dashboardIgnores] },
    { description: "Parts of the board's bar that the tile refuses." },
  ),
};

const compare = closedObject({ "offset?": text, "filter?": filters });

const siteOverview = {
  ...{ from: "-24h", to: "now", timeZone: "Europe/Berlin", compare: { offset: "7d" } },
  filter: [{ column: "country", op: "=", value: "DE" }],
  variables: [{ name: "service", table: "requests", column: "service", values: ["checkout"] }],
  sections: [
    {
      ...{ title: "Traffic", folded: false },
      tiles: [
        {
          ...{ id: "requests", title: "Requests by service", x: 0, y: 0, w: 8, h: 4 },
          query: {
            ...{ table: "requests", from: "-3h", to: "now" },
            ...{ groupBy: ["service"], aggregates: [{ fn: "count" }] },
          },
          ...{ view: "timeseries", viewOptions: {}, ignores: ["compare"] },
        },
        { id: "notes", x: 8, y: 0, w: 4, h: 4, text: "Ask **#web** about spikes." },
        { id: "line", x: 0, y: 4, w: 12, h: 1, divider: true },
      ],
    },
  ],
};

/** The body of a document of the kind `dashboard`. */
export const dashboardSchemas: NamedSchemas = {
  Dashboard: closedObject(
    {
      "version?": { const: 1, description: "Of the body's form; default 1." },
      "from?": { ...time, description: "Default: the last three hours." },
      "to?": time,
      "timeZone?": nullable({ ...text, description: "Absent: the reader's own." }),
      "compare?": nullable(compare),
      "filter?": { ...filters, description: "Applied to each tile whose table has the column." },
      "variables?": list(ref("DashboardVariable"), { maxItems: dashboardVariablesMax }),
      "sections?": list(ref("DashboardSection"), { maxItems: dashboardSectionsMax }),
    },
    { examples: [siteOverview] },
  ),
  DashboardVariable: closedObject(
    {
      name: ref("Name"),
      table: ref("Name"),
      column: ref("Name"),
      "values?": {
        ...nullable(list({ type: ["string", "number", "boolean"] })),
        description: "null or absent: all values.",
      },
    },
    {
      description:
        "Applies to each tile whose table has the column. A tile whose filters have the value `$name` uses it there alone: several values make `=` an `in`, all values leave the condition out, and `$$name` is the text `$name`. Titles of tiles may name it, too.",
    },
  ),
  DashboardSection: closedObject({
    "title?": title,
    "folded?": { type: "boolean" },
    tiles: list(ref("DashboardTile"), { maxItems: dashboardTilesMax }),
  }),
  DashboardTile: {
    description: "A query, a saved query, Markdown without HTML, or a line across the grid.",
    anyOf: [
      closedObject({ ...place, ...drawing, query: ref("Query") }),
      closedObject({ ...place, ...drawing, savedQuery: id }),
      closedObject({ ...place, text: { type: "string", maxLength: dashboardTextMax } }),
      closedObject({ ...place, divider: { const: true } }),
    ],
  },
};
