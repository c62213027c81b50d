import { HadalError } from "@hadal/sdk";
import { useCallback } from "react";
import type { ChartIntent, Mark } from "../../chart/kit/answer/intent.js";
import type { ChartStore } from "../state/chartStore.js";
import { type ReaderPart, readerPart } from "./readerPart.js";
import type { ChartReports } from "./reports.js";

export interface IntentParts {
  readonly store: ChartStore;
  readonly reports: ChartReports;
  /** Opens the menu of a mark. */
  readonly onMark: (mark: Mark) => void;
}

/** What the reader does on the chart, as far as the token allows it. */
export function useIntents({ store, reports, onMark }: IntentParts) {
  return useCallback(
    (intent: ChartIntent): void => {
      if (intent.kind === "again") {
        store.askAgain();
        return;
      }
      if (intent.kind === "pick") reports.selected(intent.mark);
      readerPart.load().then(
        () => {
          const reader = readerPart.getSnapshot();
          if (reader !== null) take(intent, { reader, store, onMark });
        },
        (cause: Error) =>
          reports.failed(new HadalError("connection-lost", { detail: cause.message })),
      );
    },
    [store, reports, onMark],
  );
}

interface TakenBy {
  readonly reader: ReaderPart;
  readonly store: ChartStore;
  readonly onMark: (mark: Mark) => void;
}

function take(
  intent: Exclude<ChartIntent, { readonly kind: "again" }>,
  { reader, store, onMark }: TakenBy,
): void {
  const { state, self, inputs } = store.getState();
  if (state === null || self === null) return;
  const limits = reader.limitsOf(self, state, inputs.src);
  if (intent.kind === "pick") {
    if (reader.hasOffers(intent.mark, state, limits)) onMark(intent.mark);
    return;
  }
  const edit = reader.editOfIntent(intent, state);
  if (limits.allows(edit)) store.step((now) => reader.applyEdit(now, edit));
}
