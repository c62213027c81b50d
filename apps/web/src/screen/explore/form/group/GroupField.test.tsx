import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import type { ViewId } from "../../../../query/state/exploreState.js";
import { initialState } from "../../../../query/state/exploreState.js";
import { ExploreProvider } from "../../ExploreProvider.js";
import type { Explore } from "../../explore.js";
import { GroupField } from "./GroupField.js";

/** Nothing is opened here: of a popup its button is there. */
vi.mock("../../../../ui/popup/Popup.js", () => ({
  Popup: ({ trigger }: { readonly trigger: ReactElement }) => trigger,
}));

function shown(view: ViewId): string {
  const state = { ...initialState("requests"), view, groupBy: ["service"] };
  const explore = { state, columns: [], faultAt: () => null } as unknown as Explore;
  return renderToStaticMarkup(
    <ExploreProvider value={explore}>
      <GroupField autoBucketMs={null} onFilter={() => {}} />
    </ExploreProvider>,
  );
}

test.each<[ViewId, boolean, boolean]>([
  ["timeseries", true, true],
  ["table", true, false],
  ["percentiles", false, true],
  ["heatmap", false, true],
  ["bignumber", false, true],
])("the view %s shows groups: %s, and a step of time: %s", (view, groups, bucket) => {
  const markup = shown(view);
  expect(markup.includes("service")).toBe(groups);
  expect(markup.includes('data-testid="add-group"')).toBe(groups);
  expect(markup.includes('data-testid="bucket-picker"')).toBe(bucket);
});
