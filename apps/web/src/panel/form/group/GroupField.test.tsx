import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import type { ViewId } from "../../../query/state/exploreState.js";
import { initialState } from "../../../query/state/exploreState.js";
import { FormQueryProvider } from "../../FormQueryProvider.js";
import type { FormQuery } from "../../formQuery.js";
import { GroupField } from "./GroupField.js";

/** Popups stay closed: only their buttons are rendered. */
vi.mock("../../../ui/popup/Popup.js", () => ({
  Popup: ({ trigger }: { readonly trigger: ReactElement }) => trigger,
}));

function shown(view: ViewId): string {
  const state = { ...initialState("requests"), view, groupBy: ["service"] };
  const explore = { state, columns: [], faultAt: () => null } as unknown as FormQuery;
  return renderToStaticMarkup(
    <FormQueryProvider value={explore}>
      <GroupField autoBucketMs={null} onFilter={() => {}} />
    </FormQueryProvider>,
  );
}

test.each<[ViewId, boolean, boolean]>([
  ["timeseries", true, true],
  ["table", true, false],
  ["percentiles", false, true],
  ["heatmap", false, true],
  ["bignumber", false, true],
])("the view %s shows groups: %s, and the time bucket: %s", (view, groups, bucket) => {
  const markup = shown(view);
  expect(markup.includes("service")).toBe(groups);
  expect(markup.includes('data-testid="add-group"')).toBe(groups);
  expect(markup.includes('data-testid="bucket-picker"')).toBe(bucket);
});
