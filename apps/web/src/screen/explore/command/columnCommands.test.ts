import type { ColumnInfo, Facet } from "@hadal/sdk";
import { afterEach, expect, test } from "vitest";
import type { Edit } from "../../../draft/edit/edits.js";
import { groupEdit } from "../../../panel/menu/groupEdit.js";
import { knownFacets } from "../../../panel/menu/knownFacets.js";
import type { GroupSpec } from "../../../query/group/groupSpec.js";
import { initialState } from "../../../query/state/exploreState.js";
import { columnCommands } from "./columnCommands.js";

const column = (name: string, type: ColumnInfo["type"], unit?: string): ColumnInfo => ({
  ...{ name, type, decimals: 0, rows: 0, bytes: 0, compressionRatio: null },
  ...(unit !== undefined && { unit }),
});
const columns = [
  column("time", "int"),
  column("latency_us", "int", "us"),
  column("size", "int"),
  column("tags", "set"),
  column("service", "string"),
];
const log = (bucket: string): GroupSpec => ({ bucket, scale: "log" });
const facets = new Map([["size", { distinct: 5_000, ranges: [] } as unknown as Facet]]);

afterEach(() => knownFacets.setState({ table: "", facets: new Map() }));

test("the palette groups as the form does: measures by range, lists by element", () => {
  const edits: Edit[] = [];
  const now = () => ({
    ...{ state: initialState("requests"), onShowForm: () => {} },
    dispatch: (edit: Edit) => void edits.push(edit),
  });
  for (const { group, run } of columnCommands(columns, now)) if (group === "Group by") run?.();
  expect(edits.map((edit) => edit.kind === "group by" && edit.group)).toEqual([
    log("latency_us"),
    "size",
    { element: "tags" },
    "service",
  ]);
});

test("a number column with many counted values is grouped by range, in its own table only", () => {
  knownFacets.setState({ table: "requests", facets });
  const groupOf = (table: string) => groupEdit(table, columns, "size");
  expect(groupOf("requests")).toEqual({ kind: "group by", group: log("size") });
  expect(groupOf("others")).toEqual({ kind: "group by", group: "size" });
});

test("an unknown column is grouped by its values", () => {
  expect(groupEdit("requests", [], "new")).toEqual({ kind: "group by", group: "new" });
});
