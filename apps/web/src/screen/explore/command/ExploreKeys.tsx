import { useMemo, useRef } from "react";
import { useCommands } from "../../../command/useCommands.js";
import { useFormQuery } from "../../../panel/formQuery.js";
import { columnCommands } from "./columnCommands.js";
import type { ScreenActions } from "./commandContext.js";
import { exploreCommands } from "./exploreCommands.js";

/** Registers every command of the Explore screen: for the palette, the keys and their sheet. */
export function ExploreKeys(actions: ScreenActions) {
  const explore = useFormQuery();
  // The list of commands stays the same: each command reads the current query when it runs.
  const now = useRef({ ...actions, ...explore });
  now.current = { ...actions, ...explore };
  const fixed = useMemo(() => exploreCommands(() => now.current), []);
  const { columns } = explore;
  const ofColumns = useMemo(() => columnCommands(columns, () => now.current), [columns]);
  useCommands(fixed);
  useCommands(ofColumns);
  return null;
}
