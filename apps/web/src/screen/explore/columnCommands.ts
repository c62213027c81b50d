import { type ColumnInfo, timeColumn } from "@hadal/sdk";
import type { Command } from "../../command/command.js";
import { groupEdit } from "../../panel/menu/groupEdit.js";
import { askedFilter } from "./askedFilter.js";
import type { Explore } from "./explore.js";

type Now = Pick<Explore, "state" | "dispatch"> & { readonly onForm: (open: boolean) => void };

/** Filter by a column, and split by it; they read the question when they are given. */
export function columnCommands(all: readonly ColumnInfo[], now: () => Now): Command[] {
  const columns = all.filter(({ name }) => name !== timeColumn);
  return columns.flatMap(({ name }): Command[] => [
    {
      id: `filter by ${name}`,
      group: "Filter",
      label: `Filter by ${name}`,
      words: "where",
      run: () => {
        now().onForm(true);
        askedFilter.setState({ column: name });
      },
    },
    {
      id: `group by ${name}`,
      group: "Group by",
      label: `Group by ${name}`,
      words: "split",
      run: () => {
        const { state, dispatch } = now();
        dispatch(groupEdit(state.table, columns, name));
      },
    },
  ]);
}
