import { allViews } from "../../../chart/view/views.js";
import type { Command } from "../../../command/command.js";
import type { ViewId } from "../../../query/state/exploreState.js";
import { fullScreen } from "../keyTargets.js";
import type { CommandContext } from "./commandContext.js";

/** Commands that choose the view; the keys 1 to 9 choose the first nine. */
export function viewCommands(now: () => CommandContext): Command[] {
  const show = (view: ViewId): void => {
    const { columns, dispatch } = now();
    dispatch({ kind: "set view", view, columns });
  };
  return [
    ...allViews
      .filter(({ id }) => id !== "query")
      .map(
        ({ id: view, name, answers }, i): Command => ({
          id: `view ${view}`,
          group: "View",
          label: name,
          words: `view chart show as ${answers}`,
          ...(i < 9 && { keys: [String(i + 1)] }),
          run: () => show(view),
        }),
      ),
    {
      id: "what changed",
      group: "View",
      label: "What changed",
      keys: ["b"],
      hidden: true,
      run: () => show("changes"),
    },
    {
      id: "raw rows",
      group: "View",
      label: "Show raw rows",
      keys: ["s"],
      hidden: true,
      run: () => show("rows"),
    },
    {
      id: "full screen",
      group: "View",
      label: "Show the result full screen",
      keys: ["f"],
      run: fullScreen,
    },
  ];
}
