import type { FormQuery } from "../../../panel/formQuery.js";

/** What the screen does for commands, beyond edits of the query. */
export interface ScreenActions {
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onShowForm: () => void;
  readonly onToggleForm: () => void;
}

/** What a command reads and calls when it runs. */
export type CommandContext = ScreenActions &
  Pick<FormQuery, "state" | "timeZone" | "columns" | "dispatch" | "dive">;
