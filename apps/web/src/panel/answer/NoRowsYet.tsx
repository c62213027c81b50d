import type { Completeness } from "@hadal/sdk";
import { formatCompleteness } from "../../format/change.js";
import { Button } from "../../ui/button/Button.js";
import { Panel } from "../../ui/page/Panel.js";
import { usePanel } from "../panel.js";

export interface NoRowsYetProps {
  readonly completeness: Completeness;
  /** The drawn column, if rows match but none has a value in it; null: no row matches. */
  readonly column: string | null;
}

/** No row of the leaves that answered matches; the others are unknown. */
export function NoRowsYet({ completeness, column }: NoRowsYetProps) {
  const { dive } = usePanel();
  const { fraction, known, leaves } = completeness;
  const looked =
    known === false
      ? "The expected number of rows is unknown; the rows that answered were searched"
      : `${formatCompleteness(fraction)} of the rows were searched`;
  const silent = leaves.missing.slice(0, 4).join(", ");
  return (
    <Panel
      tone="quiet"
      testId="empty-panel"
      title="Nothing found so far"
      action={
        <Button look="main" onClick={dive}>
          Ask again
        </Button>
      }
    >
      {`${looked}, and none of them ${column === null ? "match" : `has a value in ${column}`}.`}
      {silent !== "" && ` There is no answer from ${silent}.`}
    </Panel>
  );
}
