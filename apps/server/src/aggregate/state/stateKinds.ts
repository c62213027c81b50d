import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import { countState } from "./countState.js";
import { distinctState } from "./distinct/distinctState.js";
import { maxState, minState } from "./extremeState.js";
import { functionState } from "./functionState.js";
import { histogramState } from "./histogram/histogramState.js";
import { spreadState } from "./spreadState.js";
import { squareState } from "./squareState.js";
import type { StateKind } from "./stateKind.js";
import { sumState } from "./sumState.js";
import { textState } from "./textState.js";

/** The registry: what each state of a plan is made of. */
const stateKinds: Readonly<Record<Exclude<StateSpec["kind"], "text">, StateKind>> = {
  rows: countState,
  weight: countState,
  present: countState,
  sum: sumState,
  min: minState,
  max: maxState,
  histogram: histogramState,
  squares: squareState,
  spread: spreadState,
  distinct: distinctState,
  function: functionState,
};

export function stateKindOf(spec: StateSpec): StateKind {
  return spec.kind === "text" ? textState(spec.which) : stateKinds[spec.kind];
}
