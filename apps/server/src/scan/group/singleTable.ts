import { addNumbered } from "./addNumbered.js";
import type { GroupTableScan, SideWith } from "./groupTable.js";

/** No group by: one group, which exists also without rows. */
export const singleTable: GroupTableScan<SideWith<"single">> = {
  firstGroups: () => 1,
  add(context, side, rows) {
    rows.decodeLate();
    addNumbered(context, side, rows, () => 0);
  },
  groupsMax: () => 1,
  settle: () => ({ ranges: [[0, 1]], leftOut: 0 }),
  readKeys() {},
  find() {
    throw new Error("a query without groups has none to find");
  },
};
