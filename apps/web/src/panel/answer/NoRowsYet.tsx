import type { Completeness } from "@hadal/sdk";
import { formatCompleteness } from "../../format/change.js";
import { Button } from "../../ui/button/Button.js";
import { Panel } from "../../ui/page/Panel.js";
import { usePanel } from "../panel.js";

export interface NoRowsYetProps {
  readonly completeness: Completeness;
  /** The column whose values are drawn, where rows match and none has one; null: no row matches. */
  readonly column: string | null;
}

/** None of the rows that answered matches; of the others nothing is known. */
export function NoRowsYet({ completeness, column }: NoRowsYetProps) {
  const { dive } = usePanel();
  const { fraction, known, leaves } = completeness;
  const looked =
    known === false
      ? "Nobody knows how many rows there should be; those that answered were looked at"
      : `${formatCompleteness(fraction)} of the rows were looked at`;
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
