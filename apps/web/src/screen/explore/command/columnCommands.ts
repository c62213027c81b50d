import { type ColumnInfo, timeColumn } from "@hadal/sdk";
import type { Command } from "../../../command/command.js";
import { groupEdit } from "../../../panel/menu/groupEdit.js";
import { requestedFilter } from "../../../panel/requestedFilter.js";
import type { CommandContext } from "./commandContext.js";

type ColumnContext = Pick<CommandContext, "state" | "dispatch" | "onShowForm">;

/** Commands that filter and group by each column; each reads the current query when it runs. */
export function columnCommands(all: readonly ColumnInfo[], now: () => ColumnContext): Command[] {
  const columns = all.filter(({ name }) => name !== timeColumn);
  return columns.flatMap(({ name }): Command[] => [
    {
      id: `filter by ${name}`,
      group: "Filter",
      label: `Filter by ${name}`,
      words: "where",
      run: () => {
        now().onShowForm();
        requestedFilter.setState({ column: name });
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
