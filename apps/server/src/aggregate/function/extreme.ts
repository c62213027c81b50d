import {
  type AggregateFunction,
  exactColumn,
  intColumn,
  rankByValue,
} from "../../plan/finish/aggregateFunction.js";
import type { FinishAggregate } from "../../plan/query/finishPlan.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import { findColumn } from "../../plan/schema/tableSchema.js";
import { extremeOf } from "../state/extremeState.js";
import { textOfState } from "../state/textState.js";
import type { AggregateKind } from "./aggregateKind.js";

type Extreme = Extract<FinishValue, { readonly kind: "extreme" }>;
type ExtremeText = Extract<FinishValue, { readonly kind: "text" }>;

const doubt = {
  missing: "missing leaves may hold a smaller or a larger value.",
  sampled: "others may have been smaller or larger.",
};

/** The smallest or largest number. */
export const extremeKind: AggregateKind<Extreme> = {
  absent: null,
  finish: ({ stateIndex }, states, group) => extremeOf(states[stateIndex]!, group),
  arrivesFirst: ({ stateIndex }, { desc, states }) =>
    states[stateIndex]?.kind === (desc ? "max" : "min"),
  doubt,
};

/** The smallest or largest text, by code point. */
export const extremeTextKind: AggregateKind<ExtremeText> = {
  absent: null,
  finish: () => null,
  text: ({ stateIndex }, states, group) => textOfState(states[stateIndex]!, group),
  doubt,
};

export const min = createExtreme("min");
export const max = createExtreme("max");

function createExtreme(which: "min" | "max"): AggregateFunction {
  return {
    resolve(request) {
      const { spec, name, table, states, path } = request;
      const named = findColumn(table, spec.column ?? "", `${path}.column`);
      // Numbers that are seen as texts, for there are others beside them, have another order.
      if (named.type === "string" && named.holds === undefined) {
        return textColumn(name, states.indexOf({ kind: "text", which, column: named.name }));
      }
      const column = intColumn(request, "numbers or strings");
      const { name: read, decimals } = column;
      const stateIndex = states.indexOf({ kind: which, column: read, decimals });
      const value = { kind: "extreme", stateIndex } as const;
      const described = { name, value, rankBy: rankByValue(value) };
      return exactColumn(described, column, { isOneOfTheValues: true });
    },
  };
}

/** Nothing is subtracted from texts, and leaves do not rank by them. */
function textColumn(name: string, stateIndex: number): FinishAggregate {
  return {
    name,
    type: "string",
    decimals: 0,
    unit: undefined,
    value: { kind: "text", stateIndex },
    rankBy: null,
    spreadIndex: null,
    compared: ["compare"],
  };
}
