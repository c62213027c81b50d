import { expect, test } from "vitest";
import { beforeAndAfter } from "./beforeAndAfter.js";

test("both sides are as long as the shorter one of the range", () => {
  expect(beforeAndAfter(70_000, { fromMs: 10_000, toMs: 500_000 })).toEqual({
    ...{ kind: "compare with earlier", offset: "60s" },
    selection: { filters: [], range: { fromMs: 70_000, toMs: 130_000 } },
  });
  expect(beforeAndAfter(10_500, { fromMs: 10_000, toMs: 500_000 })).toBeNull();
});
