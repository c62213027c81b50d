import { Percent, Plus } from "lucide-react";
import { type Aggregate, isRatio } from "../../../query/number/aggregate.js";
import { aggregateLabel, numberName } from "../../../query/number/labels.js";
import { Fault } from "../../../ui/field/Fault.js";
import { PopupButton } from "../../../ui/popup/PopupButton.js";
import { useFormQuery } from "../../formQuery.js";
import { useChipOrder } from "../part/chipOrder.js";
import { EditChip } from "../part/EditChip.js";
import { Field } from "../part/Field.js";
import styles from "../part/form.module.css";
import { AggregateEditor } from "./AggregateEditor.js";
import { RatioEditor } from "./RatioEditor.js";

/** The aggregates, one chip each. Charts of one number draw the first. */
export function AggregatesField() {
  const { state, dispatch, faultAt } = useFormQuery();
  const order = useChipOrder("aggregate", state.aggregates.length, (from, to) =>
    dispatch({ kind: "move aggregate", from, to }),
  );
  return (
    <Field label="Show" title="The numbers to show (SQL: SELECT)">
      <div className={styles.chips} {...order.list}>
        {state.aggregates.map((spec, index) => (
          <AggregateChip
            key={numberName(spec)}
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
        <PopupButton
          label="Add a ratio"
          title="Add a ratio: a share, an error rate, an average per row"
          testId="add-ratio"
          icon={<Percent size={14} />}
        >
          {(close) => (
            <RatioEditor
              initial={null}
              others={state.aggregates}
              onDone={(spec) => {
                dispatch({ kind: "add aggregate", spec });
                close();
              }}
            />
          )}
        </PopupButton>
      </div>
      <Fault text={faultAt("aggregates") ?? faultAt("calculate")} />
    </Field>
  );
}

interface AggregateChipProps {
  readonly spec: Aggregate;
  readonly index: number;
  readonly drag: ReturnType<ReturnType<typeof useChipOrder>["chip"]>;
}

function AggregateChip({ spec, index, drag }: AggregateChipProps) {
  const { state, dispatch, faultAt } = useFormQuery();
  const onlyOne = state.aggregates.length === 1;
  return (
    <EditChip
      testId="aggregate-chip"
      title={aggregateLabel(spec)}
      fault={faultAt(`aggregate ${index}`)}
      drag={drag}
      onRemove={onlyOne ? undefined : () => dispatch({ kind: "remove aggregate", index })}
    >
      {(close) => {
        const others = state.aggregates.toSpliced(index, 1);
        const onDone = (next: Aggregate): void => {
          dispatch({ kind: "replace aggregate", index, spec: next });
          close();
        };
        return isRatio(spec) ? (
          <RatioEditor initial={spec} others={others} onDone={onDone} />
        ) : (
          <AggregateEditor initial={spec} taken={others} onDone={onDone} />
        );
      }}
    </EditChip>
  );
}
