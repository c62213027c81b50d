import type { ColumnInfo } from "@hadal/sdk";
import { numberName } from "../../../query/number/labels.js";
import { measureOf, measureOption } from "../../spec/measure.js";
import { overGroups } from "../../spec/overGroups.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** There are 250 countries; the rest are names that the map does not know. */
const countriesMax = 1_000;

/** Columns of texts, those that sound like countries first. */
function countryColumns(columns: readonly ColumnInfo[]): readonly string[] {
  const sounds = (name: string) =>
    Number(/countr|nation|(^|[._])(iso|geo|cc)($|[._\d])/i.test(name));
  return columns
    .filter(({ type }) => type === "string")
    .map(({ name }) => name)
    .sort((a, b) => sounds(b) - sounds(a));
}

export const map: ViewSpec = {
  id: "map",
  name: "World map",
  group: "ranking",
  answers: "Which country is up, which is down?",
  load: async () => (await import("./MapView.js")).MapView,
  fields: ["compare", "aggregates"],
  options: [
    {
      name: "country",
      label: "Countries",
      choices: (_, columns) => countryColumns(columns).map((value) => ({ value, label: value })),
    },
    measureOption,
  ],
  needsColumns: true,
  lacks: (state, columns) =>
    countryColumns(columns).length > 0
      ? null
      : `${state.table} has no column of texts that could be countries.`,
  fill: (state) => state,
  orderNames: overGroups.orderNames,
  build: (state, context) => {
    const measure = measureOf(state, context);
    const country = context.option("country");
    return {
      query: {
        ...context.counted,
        aggregates: [measure],
        groupBy: country === "" ? [] : [country],
        orderBy: [{ by: numberName(measure), desc: true }],
        limit: countriesMax,
      },
    };
  },
};
