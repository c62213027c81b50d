import { aggregateName } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Aggregate } from "../../../query/aggregate.js";
import { aggregateLabel } from "../../../query/labels.js";
import { Button } from "../../../ui/Button.js";
import { ChipTrigger } from "../../../ui/Chip.js";
import { Popup } from "../../../ui/Popup.js";
import { useExplore } from "../explore.js";
import { AggregateEditor } from "./AggregateEditor.js";
import { useChipOrder } from "./chipOrder.js";
import { Fault, Field } from "./Field.js";
import styles from "./form.module.css";

/** What is counted, summed, measured: a chip per number; the first is what charts of one number draw. */
export function AggregatesField() {
  const { state, dispatch, faultAt } = useExplore();
  const [adding, setAdding] = useState(false);
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
        <Popup
          open={adding}
          onOpenChange={setAdding}
          label="Add an aggregate"
          trigger={
            <Button
              look="quiet"
              data-testid="add-aggregate"
              title="Add a number to show"
              aria-label="Add aggregate"
            >
              <Plus size={14} />
            </Button>
          }
        >
          <AggregateEditor
            initial={{ fn: "percentile", p: 95 }}
            taken={state.aggregates}
            onDone={(spec) => {
              dispatch({ kind: "add aggregate", spec });
              setAdding(false);
            }}
          />
        </Popup>
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
  const [open, setOpen] = useState(false);
  const label = aggregateLabel(spec);
  const onlyOne = state.aggregates.length === 1;
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      label={label}
      trigger={
        <ChipTrigger
          testId="aggregate-chip"
          title={label}
          fault={faultAt(`aggregate ${index}`)}
          drag={drag}
          onRemove={onlyOne ? undefined : () => dispatch({ kind: "remove aggregate", index })}
        />
      }
    >
      <AggregateEditor
        initial={spec}
        taken={state.aggregates.toSpliced(index, 1)}
        onDone={(next) => {
          dispatch({ kind: "replace aggregate", index, spec: next });
          setOpen(false);
        }}
      />
    </Popup>
  );
}
