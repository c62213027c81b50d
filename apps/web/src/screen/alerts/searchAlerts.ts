import type { AlertState, AlertStatus } from "@hadal/sdk";

export type ShownStates = "all" | AlertState;

/** The most urgent first, then by title. */
const order: Readonly<Record<AlertState, number>> = {
  ...{ firing: 0, unknown: 1, pending: 2, ok: 3, muted: 4 },
};

/** Rules of a state whose title or table has the text. */
export function searchAlerts(
  all: readonly AlertStatus[],
  text: string,
  states: ShownStates,
): readonly AlertStatus[] {
  const wanted = text.trim().toLowerCase();
  return all
    .filter(({ state }) => states === "all" || state === states)
    .filter(({ title, table }) => [title, table].some((one) => one.toLowerCase().includes(wanted)))
    .sort((a, b) => order[a.state] - order[b.state] || a.title.localeCompare(b.title));
}
