import type { ColumnChange, ValueChange } from "@hadal/sdk";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ChangeCard } from "./ChangeCard.js";

const filter = { column: "service", op: "=", value: "web" } as const;
const share = { share: 0.5, rows: 1, events: 1 };
const best = {
  ...{ is: { value: "web" }, a: share, b: share, difference: 0, interval: [0, 0], p: null },
  ...{ filter, exclude: { not: [filter] } },
} as unknown as ValueChange;
const column: ColumnChange = {
  ...{ name: "service", type: "string", decimals: 0, score: 0, distinct: 1 },
  ...{ best, values: [best] },
};

test("a column that may not be grouped by has no button for it", () => {
  const nothing = (): void => {};
  const shown = (onGroup: (() => void) | null): string =>
    renderToStaticMarkup(
      <ChangeCard rank={1} {...{ column, onGroup }} onOnly={nothing} onNot={nothing} />,
    );
  expect(shown(nothing)).toContain("change-group");
  expect(shown(null)).not.toContain("change-group");
  expect(shown(null)).toContain("change-only");
});
