import { Panel } from "../../../ui/page/Panel.js";
import type { FaultWords } from "../model/variableFaults.js";

/** Why a tile's query is not asked: it names variables that have no values for it. */
export function VariableFaultsPanel({ words }: { readonly words: FaultWords }) {
  return (
    <Panel tone="quiet" testId="tile-problem" title={words.title}>
      {words.text}
    </Panel>
  );
}
