import { useEffect, useRef } from "react";
import { type View, viewIds } from "../../query/viewIds.js";

export interface KeyActions {
  readonly dive: () => void;
  readonly addFilter: () => void;
  readonly view: (view: View) => void;
  readonly live: () => void;
  readonly sheet: () => void;
}

/** The sheet that `?` opens. */
export const keySheet: readonly (readonly [string, string])[] = [
  ["Enter", "dive: ask again"],
  ["/", "add a filter"],
  ["1 – 9", "the first nine views"],
  ["l", "live on or off"],
  ["Alt ← / Alt →", "undo / redo a step"],
  ["Arrows", "walk the cells of a table or legend"],
  ["Enter on a cell", "its menu: only this, not this, group by…"],
  ["Delete on a chip", "remove it"],
  ["Esc", "close what is open"],
  ["?", "this sheet"],
];

/** Keys of the whole screen; typing in a control stays with the control. */
export function useKeys(actions: KeyActions): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("input, select, textarea, [role=menu], [role=dialog]") != null) return;
      if (act(event.key, target, current.current)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function act(key: string, target: Element | null, actions: KeyActions): boolean {
  const view = /^[1-9]$/.test(key) ? viewIds[Number(key) - 1] : undefined;
  if (view !== undefined) actions.view(view);
  else if (key === "/") actions.addFilter();
  else if (key === "?") actions.sheet();
  else if (key === "l") actions.live();
  // Enter presses the button in focus; anywhere else it dives.
  else if (key === "Enter" && target?.closest("button, a, [role=gridcell]") == null) actions.dive();
  else return false;
  return true;
}
