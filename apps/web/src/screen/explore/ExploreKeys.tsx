import { HadalError } from "@hadal/sdk";
import { useMemo, useRef } from "react";
import { allViews } from "../../chart/view/views.js";
import type { Command } from "../../command/command.js";
import { useCommands } from "../../command/useCommands.js";
import {
  type RangeClock,
  shiftRange,
  type WrittenRange,
  widenRange,
} from "../../draft/edit/shiftTime.js";
import type { ExploreState, ViewId } from "../../query/state/exploreState.js";
import { columnCommands } from "./columnCommands.js";
import { type Explore, useExplore } from "./explore.js";
import { fullScreen, pressControl, walkRows } from "./keyTargets.js";

/** By weekday and hour the likest time there is. */
const lastWeek = "7d";

export interface ExploreKeysProps {
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onForm: (open: boolean) => void;
  readonly onFold: () => void;
}

/** Every command of the Explore screen: for the palette, the keys and their sheet. */
export function ExploreKeys(props: ExploreKeysProps) {
  const explore = useExplore();
  // Commands stay the same while the question changes: they read it when they are given.
  const now = useRef({ ...props, ...explore });
  now.current = { ...props, ...explore };
  const fixed = useMemo(() => fixedCommands(() => now.current), []);
  const { columns } = explore;
  const ofColumns = useMemo(() => columnCommands(columns, () => now.current), [columns]);
  useCommands(fixed);
  useCommands(ofColumns);
  return null;
}

type Now = ExploreKeysProps & Pick<Explore, "state" | "timeZone" | "columns" | "dispatch" | "dive">;

function fixedCommands(now: () => Now): Command[] {
  return [...askCommands(now), ...timeCommands(now), ...viewCommands(now), ...resultCommands(now)];
}

function askCommands(now: () => Now): Command[] {
  /** Opens the form, where it is a drawer, and the control in it. */
  const open = (control: string) => (): void => {
    now().onForm(true);
    pressControl(control);
  };
  return [
    {
      id: "dive",
      group: "Ask",
      label: "Dive: ask again",
      keys: ["Enter"],
      run: (event) => {
        // Enter presses the button in focus; anywhere else it dives.
        const target = event?.target instanceof Element ? event.target : null;
        if (target?.closest("button, a, [role=gridcell], [role=slider]") != null) return false;
        now().dive();
      },
    },
    {
      id: "dive always",
      group: "Ask",
      label: "Dive, also while typing",
      keys: ["mod+Enter"],
      whileTyping: true,
      hidden: true,
      run: () => now().dive(),
    },
    { id: "filter", group: "Ask", label: "Add a filter", keys: ["/"], run: open("add-filter") },
    { id: "group", group: "Ask", label: "Group by…", keys: ["g"], run: open("add-group") },
    { id: "compare", group: "Ask", label: "Compare…", keys: ["c"], run: open("compare-picker") },
    {
      id: "last week",
      group: "Ask",
      label: "Last week beside it, or no more",
      words: "compare",
      keys: ["w"],
      run: () => {
        const { state, dispatch } = now();
        const isShown = state.compare?.offset === lastWeek && state.compare.filter === null;
        const compare = isShown ? null : { offset: lastWeek, filter: null };
        dispatch({ kind: "set compare", compare });
      },
    },
    {
      id: "table",
      group: "Ask",
      label: "Another table…",
      keys: ["d"],
      run: () => pressControl("table-picker"),
    },
    {
      id: "undo",
      group: "Ask",
      label: "Undo a step",
      keys: ["mod+z"],
      run: () => now().onUndo(),
    },
    {
      id: "redo",
      group: "Ask",
      label: "Redo a step",
      keys: ["mod+shift+z"],
      run: () => now().onRedo(),
    },
    { id: "chip", group: "Ask", label: "Remove the chip in focus", keyText: "Delete" },
    {
      id: "fold",
      group: "Ask",
      label: "Fold the form away, or show it",
      keys: ["h"],
      run: () => now().onFold(),
    },
  ];
}

function timeCommands(now: () => Now): Command[] {
  const set = (rangeOf: (state: ExploreState, clock: RangeClock) => WrittenRange) => (): void => {
    const { state, timeZone, dispatch } = now();
    try {
      dispatch({ kind: "set time", ...rangeOf(state, { nowMs: Date.now(), timeZone }) });
    } catch (error) {
      // Times that cannot be read are marked where they stand.
      if (!(error instanceof HadalError)) throw error;
    }
  };
  return [
    {
      id: "time",
      group: "Time",
      label: "Time range…",
      keys: ["t"],
      run: () => {
        now().onForm(true);
        pressControl("time-range");
      },
    },
    {
      id: "earlier",
      group: "Time",
      label: "Earlier by the length of the range",
      keys: ["["],
      run: set((state, clock) => shiftRange(state, -1, clock)),
    },
    {
      id: "later",
      group: "Time",
      label: "Later by the length of the range",
      keys: ["]"],
      run: set((state, clock) => shiftRange(state, 1, clock)),
    },
    {
      id: "zoom out",
      group: "Time",
      label: "Zoom out: twice the range",
      keys: ["z"],
      run: set(widenRange),
    },
    {
      id: "live",
      group: "Time",
      label: "Live on or off",
      keys: ["l"],
      run: () => now().dispatch({ kind: "set live", live: !now().state.live }),
    },
    {
      id: "utc",
      group: "Time",
      label: "Times in UTC, or in your own zone",
      keys: ["u"],
      run: () => {
        const { state, dispatch } = now();
        dispatch({ kind: "set zone", timeZone: state.timeZone === null ? "UTC" : null });
      },
    },
  ];
}

function viewCommands(now: () => Now): Command[] {
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
      id: "samples",
      group: "View",
      label: "See the rows themselves",
      keys: ["s"],
      hidden: true,
      run: () => show("rows"),
    },
    {
      id: "full screen",
      group: "View",
      label: "Result on the full screen",
      keys: ["f"],
      run: fullScreen,
    },
  ];
}

function resultCommands(now: () => Now): Command[] {
  return [
    {
      id: "walk",
      group: "Result",
      label: "Next or previous row",
      keyText: "j  k",
      keys: ["j", "k"],
      hidden: true,
      run: (event) => walkRows(event?.key === "k" ? -1 : 1),
    },
    { id: "cells", group: "Result", label: "Walk the cells of a table", keyText: "Arrows" },
    { id: "cell", group: "Result", label: "Menu of the cell in focus", keyText: "⏎" },
    {
      id: "all rows",
      group: "Result",
      label: "Remove all filters",
      run: () => now().dispatch({ kind: "keep steps", count: 0 }),
    },
  ];
}
