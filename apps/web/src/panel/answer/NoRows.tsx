import type { Edit } from "../../draft/edit/edits.js";
import { rangeInWords } from "../../format/rangeInWords.js";
import { wholeRange } from "../../query/state/opening.js";
import { Button } from "../../ui/button/Button.js";
import { Panel } from "../../ui/page/Panel.js";
import { usePanel } from "../panel.js";
import { emptyTitle, withoutFilters } from "./emptyAnswer.js";

export interface NoRowsProps {
  /** The drawn column, if rows match but none has a value in it; null: no row matches. */
  readonly column: string | null;
}

/** No row matches: a button offers the next step. */
export function NoRows({ column }: NoRowsProps) {
  const { state, table, timeZone } = usePanel();
  const whole = table === null ? null : wholeRange(table);
  const range = rangeInWords(state.from, state.to, timeZone);
  if (table !== null && whole === null) {
    return (
      <Panel tone="quiet" testId="empty-panel" title={`${state.table} holds no rows`}>
        Rows show up here within a second of their arrival.
      </Panel>
    );
  }
  return (
    <Panel
      tone="quiet"
      testId="empty-panel"
      title={emptyTitle(state.filters, column)}
      action={<WayOut whole={whole} />}
    >
      {whole === null
        ? range
        : `Asked: ${range}. The rows of ${state.table} lie within ${rangeInWords(whole.from, whole.to, timeZone)}.`}
    </Panel>
  );
}

interface WayOutProps {
  /** Time span of all rows. */
  readonly whole: { readonly from: string; readonly to: string } | null;
}

/** Fewer filters, else more time. */
function WayOut({ whole }: WayOutProps) {
  const { state, dispatch, dive } = usePanel();
  const fewer = withoutFilters(state);
  const button = (label: string, edit: Edit, testId?: string) => (
    <Button look="main" data-testid={testId} onClick={() => dispatch(edit)}>
      {label}
    </Button>
  );
  if (fewer !== null) return button(fewer.label, fewer.edit);
  if (whole === null) return null;
  const isWhole = whole.from === state.from && whole.to === state.to;
  if (!isWhole) return button("Widen to all data", { kind: "set time", ...whole }, "widen");
  return <Button onClick={dive}>Ask again</Button>;
}
