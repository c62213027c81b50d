import { expect, test } from "vitest";
import { choiceOfEnter, matchingItems, type PickState } from "./choiceOfEnter.js";

const items = ["status", "Status code", "url"].map((label) => ({ key: `key of ${label}`, label }));
const state: PickState = {
  shown: items,
  at: 0,
  text: "",
  walked: false,
  takesEmpty: false,
  takesText: false,
};

test("text narrows the items in any case and without spaces around it", () => {
  expect(matchingItems(items, " STATUS ").map(({ label }) => label)).toEqual([
    "status",
    "Status code",
  ]);
  expect(matchingItems(items, "")).toEqual(items);
});

test.each<[string, Partial<PickState>, ReturnType<typeof choiceOfEnter>]>([
  ["without text picks the active item", { at: 2 }, { kind: "item", key: "key of url" }],
  ["without text runs the list's own action", { takesEmpty: true }, { kind: "empty" }],
  [
    "after an arrow key picks the active item instead of that action",
    { takesEmpty: true, walked: true, at: 1 },
    { kind: "item", key: "key of Status code" },
  ],
  [
    "with an exact label picks that item, not the active one",
    { text: "url", takesText: true },
    { kind: "item", key: "key of url" },
  ],
  ["with other text takes the text", { text: "stat", takesText: true }, { kind: "text" }],
  [
    "with other text picks the active item where text is not accepted",
    { text: "stat" },
    { kind: "item", key: "key of status" },
  ],
  [
    "with other text after an arrow key picks the active item",
    { text: "stat", takesText: true, walked: true, at: 1 },
    { kind: "item", key: "key of Status code" },
  ],
  [
    "with no item and no free text chooses nothing",
    { shown: [], at: -1, text: "x" },
    { kind: "none" },
  ],
])("Enter %s", (_claim, part, choice) => {
  expect(choiceOfEnter({ ...state, ...part })).toEqual(choice);
});
