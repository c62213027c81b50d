import { aggregateName } from "@hadal/sdk";
import { Plus } from "lucide-react";
import type { Aggregate } from "../../../query/aggregate.js";
import { aggregateLabel } from "../../../query/labels.js";
import { PopupButton } from "../../../ui/PopupButton.js";
import { useExplore } from "../explore.js";
import { AggregateEditor } from "./AggregateEditor.js";
import { useChipOrder } from "./chipOrder.js";
import { EditChip } from "./EditChip.js";
import { Fault, Field } from "./Field.js";
import styles from "./form.module.css";

/** What is counted, summed, measured: a chip per number; the first is what charts of one number draw. */
export function AggregatesField() {
  const { state, dispatch, faultAt } = useExplore();
  const order = useChipOrder("aggregate", state.aggregates.length, (from, to) =>
    dispatch({ kind: "move aggregate", from, to }),
  );
  return (
    <Field label="Show">
      <div className={styles.chips} {...order.list}>
        {state.aggregates.map((spec, index) => (
          <AggregateChip
            key={aggregateName(spec)}
            spec={spec}
            index={index}
            drag={order.chip(index)}
          />
        ))}
        <PopupButton
          label="Add an aggregate"
          title="Add a number to show"
          testId="add-aggregate"
          icon={<Plus size={14} />}
        >
          {(close) => (
            <AggregateEditor
              initial={{ fn: "percentile", p: 95 }}
              taken={state.aggregates}
              onDone={(spec) => {
                dispatch({ kind: "add aggregate", spec });
                close();
              }}
            />
          )}
        </PopupButton>
      </div>
      <Fault text={faultAt("aggregates")} />
    </Field>
  );
}

interface AggregateChipProps {
  readonly spec: Aggregate;
  readonly index: number;
  readonly drag: ReturnType<ReturnType<typeof useChipOrder>["chip"]>;
}

function AggregateChip({ spec, index, drag }: AggregateChipProps) {
  const { state, dispatch, faultAt } = useExplore();
  const onlyOne = state.aggregates.length === 1;
  return (
    <EditChip
      testId="aggregate-chip"
      title={aggregateLabel(spec)}
      fault={faultAt(`aggregate ${index}`)}
      drag={drag}
      onRemove={onlyOne ? undefined : () => dispatch({ kind: "remove aggregate", index })}
    >
      {(close) => (
        <AggregateEditor
          initial={spec}
          taken={state.aggregates.toSpliced(index, 1)}
          onDone={(next) => {
            dispatch({ kind: "replace aggregate", index, spec: next });
            close();
          }}
        />
      )}
    </EditChip>
  );
}
