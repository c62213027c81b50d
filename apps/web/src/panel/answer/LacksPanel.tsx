import { viewOf } from "../../chart/view/views.js";
import { Button } from "../../ui/button/Button.js";
import { Panel } from "../../ui/page/Panel.js";
import { usePanel } from "../panel.js";

/** Says what the view needs and the state lacks, with a button that fills it in where possible. */
export function LacksPanel({ lacks }: { readonly lacks: string }) {
  const { state, columns, dispatch } = usePanel();
  const view = viewOf(state.view);
  const filled = view.fill(state, columns);
  const isMended = filled !== state && view.lacks(filled, columns) === null;
  return (
    <Panel
      tone="quiet"
      testId="lacks-panel"
      title={lacks}
      action={
        isMended && (
          <Button
            look="main"
            data-testid="fill"
            onClick={() => dispatch({ kind: "open", state: filled })}
          >
            Choose for me
          </Button>
        )
      }
    >
      {view.answers}
    </Panel>
  );
}
