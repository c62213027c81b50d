import { describe, expect, test } from "vitest";
import type { Edit } from "../../../draft/edit/edits.js";
import { type ExploreState, initialState } from "../../../query/state/exploreState.js";
import type { CommandContext } from "./commandContext.js";
import { exploreCommands } from "./exploreCommands.js";

const context = (state: ExploreState, edits: Edit[] = []): CommandContext => ({
  ...{ state, timeZone: "UTC", columns: [], dive: () => {} },
  ...{ onUndo: () => {}, onRedo: () => {}, onShowForm: () => {}, onToggleForm: () => {} },
  dispatch: (edit) => void edits.push(edit),
});

/** The edits of a command on a query of one hour. */
function editsOf(id: string, change: Partial<ExploreState> = {}): Edit[] {
  const hour = { from: "2026-11-21T09:00:00Z", to: "2026-11-21T10:00:00Z" };
  const edits: Edit[] = [];
  const state = { ...initialState("requests"), ...hour, ...change };
  const command = exploreCommands(() => context(state, edits)).find((one) => one.id === id);
  command?.run?.();
  return edits;
}

test("no two commands share an id or a key", () => {
  const commands = exploreCommands(() => context(initialState("requests")));
  const ids = commands.map(({ id }) => id);
  const keys = commands.flatMap((command) => command.keys ?? []);
  expect(ids).toEqual([...new Set(ids)]);
  expect(keys).toEqual([...new Set(keys)]);
});

describe("commands edit the query", () => {
  const lastWeek = { offset: "7d", filter: null };
  test("last week is compared, and compared no more", () => {
    expect(editsOf("last week")).toEqual([{ kind: "set compare", compare: lastWeek }]);
    expect(editsOf("last week", { compare: lastWeek })).toEqual([
      { kind: "set compare", compare: null },
    ]);
  });
  test("a comparison with other rows is replaced by last week", () => {
    const compare = { offset: "7d", filter: [] };
    expect(editsOf("last week", { compare })).toEqual([{ kind: "set compare", compare: lastWeek }]);
  });
  test("the range moves by its length", () => {
    const [earlier] = editsOf("earlier");
    expect(earlier).toMatchObject({ kind: "set time" });
    expect(Date.parse((earlier as { from: string }).from)).toBe(Date.UTC(2026, 10, 21, 8));
    expect(Date.parse((earlier as { to: string }).to)).toBe(Date.UTC(2026, 10, 21, 9));
  });
  test("an unreadable range is not moved", () => {
    expect(editsOf("earlier", { from: "yesterdayish" })).toEqual([]);
  });
  test("UTC and the reader's zone alternate", () => {
    expect(editsOf("utc")).toEqual([{ kind: "set zone", timeZone: "UTC" }]);
    expect(editsOf("utc", { timeZone: "UTC" })).toEqual([{ kind: "set zone", timeZone: null }]);
  });
  test("“Remove all filters” keeps no step", () => {
    expect(editsOf("all rows")).toEqual([{ kind: "keep steps", count: 0 }]);
  });
});
