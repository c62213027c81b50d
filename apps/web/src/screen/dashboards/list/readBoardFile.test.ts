import { expect, test } from "vitest";
import { readBoardFile } from "./readBoardFile.js";

const tiles = [{ id: "t", text: "# On call" }];
const ours = { kind: "dashboard", title: "Site", body: { sections: [{ tiles }] } };
const theirs = { title: "Theirs", panels: [{ type: "graph", title: "Load" }] };

test("an export of Hadal or of Grafana is read", () => {
  expect(readBoardFile(JSON.stringify(ours))).toEqual({
    ok: true,
    read: { title: "Site", board: ours.body, gaps: null },
  });
  expect(readBoardFile(JSON.stringify(theirs))).toMatchObject({
    ok: true,
    read: { title: "Theirs", gaps: [expect.stringContaining("“Load”")] },
  });
});

test.each<readonly [string, RegExp]>([
  ["", /not JSON/],
  ["{", /not JSON/],
  ["null", /Expected an object/],
  ['{"title":"x"}', /kind/],
  [JSON.stringify({ ...ours, body: { sections: {} } }), /sections: .*list/],
  [JSON.stringify({ ...theirs, panels: [5] }), /^panels\[0\]: /],
  [
    JSON.stringify({ kind: "query", title: "q", body: { query: { table: "t", from: 0, to: 1 } } }),
    /holds a query/,
  ],
])("%.60j is refused with a reason", (text, reason) => {
  const read = readBoardFile(text);
  expect(read.ok ? "" : read.reason).toMatch(reason);
});
