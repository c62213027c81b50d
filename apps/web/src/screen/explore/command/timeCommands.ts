import { HadalError } from "@hadal/sdk";
import type { Command } from "../../../command/command.js";
import {
  type RangeClock,
  shiftRange,
  type WrittenRange,
  widenRange,
} from "../../../draft/edit/shiftTime.js";
import { pressControl } from "../keyTargets.js";
import type { CommandContext } from "./commandContext.js";

/** Commands for the time range, live and the time zone. */
export function timeCommands(now: () => CommandContext): Command[] {
  return [
    {
      id: "time",
      group: "Time",
      label: "Time range…",
      keys: ["t"],
      run: () => {
        now().onShowForm();
        pressControl("time-range");
      },
    },
    ...rangeCommands(now),
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
      label: "Times in UTC or in your time zone",
      keys: ["u"],
      run: () => {
        const { state, dispatch } = now();
        dispatch({ kind: "set zone", timeZone: state.timeZone === null ? "UTC" : null });
      },
    },
  ];
}

function rangeCommands(now: () => CommandContext): Command[] {
  const set = (rangeOf: (range: WrittenRange, clock: RangeClock) => WrittenRange) => (): void => {
    const { state, timeZone, dispatch } = now();
    try {
      dispatch({ kind: "set time", ...rangeOf(state, { nowMs: Date.now(), timeZone }) });
    } catch (error) {
      // An unreadable time is marked at its field.
      if (!(error instanceof HadalError)) throw error;
    }
  };
  return [
    {
      id: "earlier",
      group: "Time",
      label: "Earlier by the length of the range",
      keys: ["["],
      run: set((range, clock) => shiftRange(range, -1, clock)),
    },
    {
      id: "later",
      group: "Time",
      label: "Later by the length of the range",
      keys: ["]"],
      run: set((range, clock) => shiftRange(range, 1, clock)),
    },
    {
      id: "zoom out",
      group: "Time",
      label: "Zoom out: twice the range",
      keys: ["z"],
      run: set(widenRange),
    },
  ];
}
