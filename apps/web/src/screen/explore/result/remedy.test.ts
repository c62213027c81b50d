import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import { type ExploreState, initialState } from "../../../query/state/exploreState.js";
import { remedyOf } from "./remedy.js";

const state: ExploreState = { ...initialState("requests"), groupBy: ["service"] };

test("a query that is too large over time is offered longer time buckets", () => {
  const dispatched: unknown[] = [];
  const explore = {
    state,
    timeZone: "UTC",
    dispatch: (edit: unknown) => dispatched.push(edit),
    faultAt: () => null,
  };
  const remedy = remedyOf(new HadalError("query-memory"), explore);
  expect(remedy?.label).toBe("Use time buckets of 5m");
  remedy?.apply();
  expect(dispatched).toEqual([{ kind: "set bucket", bucket: "5m" }]);
  expect(remedyOf(new HadalError("no-leaves"), explore)).toBeNull();
});

test("the remedy of a rejected filter turns it off; that of an unknown table opens the picker", () => {
  const filter = { column: "service", op: ">", value: 5 } as const;
  const dispatched: unknown[] = [];
  const explore = {
    timeZone: "UTC",
    state: {
      ...state,
      filters: [
        { filter, off: true },
        { filter, off: false },
      ],
    },
    dispatch: (edit: unknown) => dispatched.push(edit),
    faultAt: (place: string) => (place.startsWith("filter") ? "needs a string" : null),
  };
  remedyOf(new HadalError("bad-request"), explore)?.apply();
  expect(dispatched).toEqual([{ kind: "switch filter", index: 1, off: true }]);
  const unknown = remedyOf(new HadalError("unknown-table", { table: "x" }), explore);
  expect(unknown?.label).toBe("Choose a table");
});
