import { wholeRange } from "../../../query/opening.js";
import { Button } from "../../../ui/Button.js";
import { Panel } from "../../../ui/Panel.js";
import { useExplore } from "../explore.js";
import { rangeInWords } from "../words.js";

/** The range holds nothing that matches: one button leads on. */
export function NoRows() {
  const { state, table, timeZone, dispatch } = useExplore();
  const whole = table === null ? null : wholeRange(table);
  const filtered = state.filters.some((chip) => !chip.off);
  const isWhole = whole !== null && whole.from === state.from && whole.to === state.to;
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
      title={filtered ? "No rows match" : "No rows in this range"}
      action={
        filtered ? (
          <Button look="main" onClick={() => dispatch({ kind: "keep steps", count: 0 })}>
            Remove the filters
          </Button>
        ) : (
          whole !== null &&
          !isWhole && (
            <Button
              look="main"
              data-testid="widen"
              onClick={() => dispatch({ kind: "set time", ...whole })}
            >
              Widen to all data
            </Button>
          )
        )
      }
    >
      {whole === null
        ? range
        : `Asked: ${range}. The rows of ${state.table} lie within ${rangeInWords(whole.from, whole.to, timeZone)}.`}
    </Panel>
  );
}
