import type { Result } from "@hadal/sdk";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { createColorBook } from "../../chart/kit/paint/color.js";
import { initialState } from "../../query/state/exploreState.js";
import type { Question } from "../ask/useQuestion.js";
import { type AskedQuery, PanelProvider } from "../panel.js";
import { AnswerPane } from "./AnswerPane.js";

const state = { ...initialState("requests"), view: "heatmap" as const };

/** Views are loaded on first use; here they are loaded before, so that nothing loads after the test. */
beforeAll(async () => {
  await Promise.all([
    import("../../chart/view/heatmap/HeatmapView.js"),
    import("../../chart/kit/rows/DataTable.js"),
  ]);
});

/** The pane for a column without values, at this completeness. */
function shown(without: string | null, fraction = 1, show = "view"): string {
  const result = {
    final: true,
    stats: { rowsMatched: 5 },
    columns: [],
    rows: [],
    completeness: { fraction, leaves: { answered: 1, total: 1, missing: [] } },
  } as unknown as Result;
  const built = {
    query: { table: "requests", from: state.from, to: state.to },
    extras: {},
    numbers: [],
    options: {},
    bucketMs: null,
    without,
  };
  const subject = { state: { ...state, options: { show } }, built, timeZone: "UTC", key: "" };
  const question = {
    main: { answer: { result, subject }, problem: null, waiting: false, streaming: false },
    ...{ extras: {}, lacks: null },
  } as unknown as Question;
  const asked = {
    ...{ state, columns: [], table: null, timeZone: "UTC", session: { client: {} } },
  } as unknown as AskedQuery;
  return renderToStaticMarkup(
    <PanelProvider value={asked}>
      <AnswerPane
        question={question}
        colors={createColorBook()}
        themeName="light"
        onIntent={() => {}}
        remedyOf={() => null}
      />
    </PanelProvider>,
  );
}

test("a column without any value is reported where its numbers would be drawn", () => {
  expect(shown("latency_us")).toContain("No row in this range has a value in latency_us");
  expect(shown("latency_us", 0.5)).toContain("none of them has a value in latency_us");
  expect(shown("latency_us", 1, "data")).not.toContain("empty-panel");
  expect(shown(null)).not.toContain("empty-panel");
});
