import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import { placeOfPath } from "../../../draft/ask/buildQuery.js";
import { type ExploreState, initialState } from "../../../query/state/exploreState.js";
import { FormQueryProvider } from "../../FormQueryProvider.js";
import type { FormQuery } from "../../formQuery.js";
import { DeriveField } from "../column/DeriveField.js";
import { FiltersField } from "../filter/FiltersField.js";
import { GroupField } from "../group/GroupField.js";
import { OrderField } from "../group/OrderField.js";
import { AggregatesField } from "../number/AggregatesField.js";
import { HavingField } from "../number/HavingField.js";
import { CompareField } from "../time/CompareField.js";
import { TimeField } from "../time/TimeField.js";

/** Popups stay closed: only their buttons are rendered. */
vi.mock("../../../ui/popup/Popup.js", () => ({
  Popup: ({ trigger }: { readonly trigger: ReactElement }) => trigger,
}));

const state: ExploreState = {
  ...initialState("requests"),
  aggregates: [{ fn: "count" }, { fn: "avg", column: "latency" }],
  groupBy: ["service"],
  filters: [
    { filter: { column: "country", op: "in", value: ["DE"] }, off: true },
    { filter: { column: "status", op: ">=", value: 500 }, off: false },
  ],
  having: [{ column: "count", op: ">", value: 10 }],
  derive: [{ as: "doubled", expression: { fn: "*", args: [{ column: "latency" }, { value: 2 }] } }],
  compare: { offset: null, filter: [{ column: "version", op: "in", value: ["7"] }] },
};

/** The form as it is after the server refused the query for an error at this path. */
function formWith(path: string): ReadonlyMap<string, string> {
  const place = placeOfPath(path, state);
  const form = {
    ...{ state, columns: [], timeZone: "UTC", table: null, dispatch: () => {} },
    faultAt: (asked: string) => (asked === place ? "It is wrong." : null),
  } as unknown as FormQuery;
  const fields = [
    <TimeField key="time" />,
    <CompareField key="compare" asOfMs={null} />,
    <AggregatesField key="numbers" />,
    <GroupField key="group" autoBucketMs={null} onFilter={() => {}} />,
    <FiltersField key="filter" addRef={null} settled={false} column={null} onColumn={() => {}} />,
    <HavingField key="having" />,
    <DeriveField key="derive" />,
    <OrderField key="order" />,
  ];
  const html = renderToStaticMarkup(<FormQueryProvider value={form}>{fields}</FormQueryProvider>);
  const parts = html.split('<div role="group" aria-label="').slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('"')), part]));
}

describe("an error of the query is shown at the field that it is about", () => {
  test.each([
    ["from", "Time"],
    ["timeZone", "Time"],
    ["compare.offset", "Compare"],
    ["groupBy[0].bucket", "Group by"],
    ["orderBy[0].by", "Rank by"],
    ["series.limit", "Series"],
  ])("%s: %s", (path, label) => {
    const form = formWith(path);
    const shown = [...form].filter(([, html]) => html.includes("It is wrong."));
    expect(shown.map(([name]) => name)).toEqual([label]);
    expect(form.get(label)).toMatch(/<p role="alert"[^>]*>It is wrong\.<\/p>/);
  });

  test.each([
    ["aggregates[1].column", "Show", "avg latency"],
    ["groupBy[1]", "Group by", "service"],
    ["filter[0].value", "Filters", "status ≥ 500"],
    ["having[0].value", "Keep groups", "count &gt; 10"],
    ["derive[0].expression", "Calculate", "doubled"],
    ["compare.filter[0].column", "Compare", "version in 7"],
  ])("%s: the chip of %s that says “%s”", (path, label, text) => {
    const chips = [...formWith(path)].flatMap(([name, html]) =>
      html
        .split('data-testid="')
        .filter((part) => part.includes('data-fault="true"'))
        .map((chip) => [name, chip] as const),
    );
    expect(chips.map(([name]) => name)).toEqual([label]);
    expect(chips[0]?.[1]).toContain(`>${text}<`);
    expect(chips[0]?.[1]).toMatch(/role="alert"[^>]*>It is wrong\.</);
  });
});
