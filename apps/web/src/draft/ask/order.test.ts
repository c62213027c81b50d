import { expect, test } from "vitest";
import { parseUrl } from "../url/url.js";
import { orderNames } from "./order.js";

test.each([
  ['{"aggregates":5}', []],
  ['{"aggregates":[5,null,{"fn":1},{"fn":"count"},{"fn":"histogram","column":"x"}]}', ["count"]],
])("the address may contain anything: %s", (ask, names) => {
  const { state } = parseUrl(`?v=1&table=t&view=query&ask=${encodeURIComponent(ask)}`);
  expect(state && orderNames(state)).toEqual(names);
});
