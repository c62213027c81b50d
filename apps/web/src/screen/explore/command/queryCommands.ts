import type { Command } from "../../../command/command.js";
import { pressControl } from "../keyTargets.js";
import { pinRequest } from "../pin/pinRequest.js";
import { saveRequest } from "../saved/saveRequest.js";
import type { CommandContext } from "./commandContext.js";

/** Commands that run, edit or undo the query. */
export function queryCommands(now: () => CommandContext): Command[] {
  return [
    ...diveCommands(now),
    ...controlCommands(now),
    compareLastWeek(now),
    ...saveCommands(),
    ...undoCommands(now),
    { id: "chip", group: "Query", label: "Remove the focused chip", keyText: "Delete" },
    {
      id: "fold",
      group: "Query",
      label: "Hide or show the form",
      keys: ["h"],
      run: () => now().onToggleForm(),
    },
  ];
}

function diveCommands(now: () => CommandContext): Command[] {
  return [
    {
      id: "dive",
      group: "Query",
      label: "Dive: run the query again",
      keys: ["Enter"],
      run: (event) => {
        // On a focused button or link Enter presses it; anywhere else it dives.
        const target = event?.target instanceof Element ? event.target : null;
        if (target?.closest("button, a, [role=gridcell], [role=slider]") != null) return false;
        now().dive();
      },
    },
    {
      id: "dive always",
      group: "Query",
      label: "Dive, also while typing",
      keys: ["mod+Enter"],
      whileTyping: true,
      hidden: true,
      run: () => now().dive(),
    },
  ];
}

/** Commands that open a control of the form or of the header. */
function controlCommands(now: () => CommandContext): Command[] {
  const open = (control: string) => (): void => {
    now().onShowForm();
    pressControl(control);
  };
  return [
    { id: "filter", group: "Query", label: "Add a filter", keys: ["/"], run: open("add-filter") },
    { id: "group", group: "Query", label: "Group by…", keys: ["g"], run: open("add-group") },
    { id: "compare", group: "Query", label: "Compare…", keys: ["c"], run: open("compare-picker") },
    {
      id: "pin",
      group: "Query",
      label: "Pin to a dashboard…",
      words: "tile board",
      keys: ["p"],
      run: () => pinRequest.setState({ isOpen: true }),
    },
    {
      id: "table",
      group: "Query",
      label: "Change the table…",
      keys: ["d"],
      run: () => pressControl("table-picker"),
    },
  ];
}

/** The same weekday and hour: the most comparable range. */
const lastWeek = "7d";

const compareLastWeek = (now: () => CommandContext): Command => ({
  id: "last week",
  group: "Query",
  label: "Compare with last week, or stop",
  words: "compare",
  keys: ["w"],
  run: () => {
    const { state, dispatch } = now();
    const isShown = state.compare?.offset === lastWeek && state.compare.filter === null;
    const compare = isShown ? null : { offset: lastWeek, filter: null };
    dispatch({ kind: "set compare", compare });
  },
});

function saveCommands(): Command[] {
  return [
    {
      id: "save",
      group: "Query",
      label: "Save the query",
      keys: ["mod+s"],
      whileTyping: true,
      run: () => saveRequest.setState({ kind: "save" }),
    },
    {
      id: "save as",
      group: "Query",
      label: "Save the query as…",
      keys: ["mod+shift+s"],
      whileTyping: true,
      run: () => saveRequest.setState({ kind: "save as" }),
    },
  ];
}

function undoCommands(now: () => CommandContext): Command[] {
  return [
    {
      id: "undo",
      group: "Query",
      label: "Undo a step",
      keys: ["mod+z"],
      run: () => now().onUndo(),
    },
    {
      id: "redo",
      group: "Query",
      label: "Redo a step",
      keys: ["mod+shift+z"],
      run: () => now().onRedo(),
    },
  ];
}
