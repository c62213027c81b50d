import type { ColumnInfo } from "@hadal/sdk";
import { useCallback, useMemo } from "react";
import { useStore } from "zustand";
import type { Edit } from "../../../draft/edit/edits.js";
import type { FormQuery } from "../../../panel/formQuery.js";
import { useBoard } from "../board/boardContext.js";
import { editBar, formOfBar } from "../model/barState.js";

/** The bar as a form: its fields are those of Explore, its columns those of all tables of the board. */
export function useBarForm(): FormQuery {
  const { session, bar, onBar, tables, timeZone } = useBoard();
  const [main = ""] = [...tables.keys()];
  const state = useMemo(() => formOfBar(bar, main), [bar, main]);
  const columns = useMemo(() => columnsOf(tables), [tables]);
  const table = useStore(session).details.get(main) ?? null;
  const dispatch = useCallback((edit: Edit) => onBar(editBar(bar, edit)), [bar, onBar]);
  return useMemo(
    () => ({
      ...{ session, state, table, columns, timeZone, dispatch },
      ...{ dive: () => {}, probe: { kind: "none" }, problem: null },
      // The tiles name what cannot be read.
      faultAt: () => null,
    }),
    [session, state, table, columns, timeZone, dispatch],
  );
}

/** Each column once. */
function columnsOf(tables: ReadonlyMap<string, readonly ColumnInfo[]>): readonly ColumnInfo[] {
  const all = [...tables.values()].flat();
  return [...new Map(all.map((column) => [column.name, column])).values()];
}
