import type { Keyboard } from "../command/command.js";

/** Apple keyboards use ⌘ instead of Ctrl. */
export const keyboard: Keyboard = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "mac" : "other";
