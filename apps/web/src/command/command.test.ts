import { describe, expect, test } from "vitest";
import { type Command, keyOf, printKey } from "./command.js";
import { inGroups, searchCommands } from "./searchCommands.js";

const press = (key: string, modifiers: Partial<KeyboardEvent> = {}) =>
  keyOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...modifiers });

describe("keys", () => {
  test.each([
    ["l", {}, "l"],
    ["?", { shiftKey: true }, "?"],
    ["k", { metaKey: true }, "mod+k"],
    ["K", { ctrlKey: true, shiftKey: true }, "mod+shift+k"],
    ["Enter", { ctrlKey: true }, "mod+Enter"],
    ["ArrowLeft", { altKey: true }, "alt+ArrowLeft"],
    ["[", { altKey: true }, "alt+["],
  ])("%s with %o is %s", (key, modifiers, name) => expect(press(key, modifiers)).toBe(name));

  test.each([
    ["mod+shift+z", "mac", "⌘ ⇧ Z"],
    ["mod+k", "other", "Ctrl K"],
    ["Enter", "other", "⏎"],
    ["?", "mac", "?"],
    ["+", "other", "+"],
  ] as const)("%s is written (keyboard %s) %s", (key, keyboard, text) =>
    expect(printKey(key, keyboard)).toBe(text),
  );
});

const command = (label: string, group: Command["group"], more: Partial<Command> = {}): Command => ({
  id: label,
  label,
  group,
  run: () => {},
  ...more,
});

describe("search", () => {
  const commands = [
    command("Group by service", "Group by"),
    command("Filter by service", "Filter"),
    command("Stacked area", "View", { words: "chart" }),
    command("Status", "Go to"),
    command("Walk the cells", "Result", { hidden: true }),
    { id: "esc", group: "Everywhere", label: "Close", keyText: "Esc" } satisfies Command,
  ];
  const labels = (text: string) =>
    searchCommands(commands, text).flatMap((section) => section.commands.map(({ label }) => label));

  test("what cannot be chosen is not listed; groups keep their order", () =>
    expect(labels("")).toEqual([
      "Status",
      "Stacked area",
      "Filter by service",
      "Group by service",
    ]));
  test("all words must be there, in any order", () => {
    expect(labels("service group")).toEqual(["Group by service"]);
    expect(labels("service map")).toEqual([]);
  });
  test("the best hit comes first: the start of the label before words beside it", () => {
    expect(labels("sta")).toEqual(["Status", "Stacked area"]);
    expect(labels("chart")).toEqual(["Stacked area"]);
    expect(labels("FILTER")).toEqual(["Filter by service"]);
  });
  test("a long list is cut, not the groups after it", () => {
    const many = Array.from({ length: 50 }, (_, i) => command(`Filter by a${i}`, "Filter"));
    const found = searchCommands([...many, ...commands], "by");
    expect(found.map(({ group, commands: list }) => [group, list.length])).toEqual([
      ["Filter", 8],
      ["Group by", 1],
    ]);
  });
  test("the sheet has the groups in their order, and none that is empty", () =>
    expect(inGroups(commands).map(({ group }) => group)).toEqual([
      "Everywhere",
      "Go to",
      "View",
      "Result",
      "Filter",
      "Group by",
    ]));
});
