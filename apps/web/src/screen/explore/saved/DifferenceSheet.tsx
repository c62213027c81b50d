import type { SavedDocument } from "@hadal/sdk";
import { bodyOf, bodyOfState } from "../../../draft/saved/savedState.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatInstant } from "../../../format/time.js";
import { useFormQuery } from "../../../panel/formQuery.js";
import { Differences } from "../../../panel/saved/Differences.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { Sheet } from "../../../ui/popup/Sheet.js";

export interface DifferenceSheetProps {
  readonly document: SavedDocument;
  readonly state: ExploreState;
  readonly onClose: () => void;
}

/** What the reader has changed since the query was saved. */
export function DifferenceSheet({ document, state, onClose }: DifferenceSheetProps) {
  const { timeZone, columns, probe } = useFormQuery();
  const { title, version, changedMs } = document;
  const probed = probe.kind === "ready" ? probe.result : null;
  const at = { timeZone, nowMs: Date.now(), columns, probed };
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title="What differs from the saved query"
      width={860}
      testId="difference-sheet"
    >
      <Differences
        before={{
          label: `Version ${version}`,
          note: `saved ${formatInstant(changedMs, ownTimeZone())}`,
          title,
          body: bodyOf(document),
        }}
        after={{
          label: "Shown now",
          note: "not saved",
          title,
          body: bodyOfState(state, at, new Map()),
        }}
      />
    </Sheet>
  );
}
