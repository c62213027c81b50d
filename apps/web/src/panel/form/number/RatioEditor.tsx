import type { Filter } from "@hadal/sdk";
import { type FormEvent, useState } from "react";
import type { Aggregate, Plain, Ratio } from "../../../query/number/aggregate.js";
import { aggregateLabel, numberName } from "../../../query/number/labels.js";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import { Fault } from "../../../ui/field/Fault.js";
import { useFormQuery } from "../../formQuery.js";
import { ConditionLine } from "../filter/ConditionLine.js";
import styles from "../part/form.module.css";
import { count, ratioChoices, readRatio, withoutCondition } from "./ratioDraft.js";

export interface RatioEditorProps {
  /** null: a new one. */
  readonly initial: Ratio | null;
  /** The other aggregates: a ratio may use them; names must be unique. */
  readonly others: readonly Aggregate[];
  readonly onDone: (spec: Ratio) => void;
}

/** Edits a ratio of two aggregates with optional conditions: an error rate, bytes per request. */
export function RatioEditor({ initial, others, onDone }: RatioEditorProps) {
  const [of, setOf] = useState<Plain>(initial?.of ?? count);
  const [by, setBy] = useState<Plain>(initial?.by ?? count);
  const [isPercent, setPercent] = useState(initial === null || initial.percent === true);
  const [as, setAs] = useState(initial?.as ?? "");
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const read = readRatio({ of, by, isPercent, as }, others);
    if (read.ok) onDone(read.spec);
    else setFault(read.reason);
  };
  return (
    <form className={styles.editor} onSubmit={submit} data-testid="ratio-editor">
      <NumberLine label="Number" testId="ratio-of" value={of} others={others} onChange={setOf} />
      <span className={styles.hint}>divided by</span>
      <NumberLine
        label="Divided by"
        testId="ratio-by"
        value={by}
        others={others}
        onChange={setBy}
      />
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={isPercent}
          data-testid="ratio-percent"
          onChange={(event) => setPercent(event.target.checked)}
        />
        in percent
      </label>
      <label className={styles.wide}>
        Name
        <input
          className={styles.input}
          data-testid="ratio-as"
          placeholder="default"
          value={as}
          spellCheck={false}
          onChange={(event) => setAs(event.target.value)}
        />
      </label>
      <Fault text={fault} />
      <Button look="main" type="submit" data-testid="ratio-apply">
        Apply
      </Button>
    </form>
  );
}

interface NumberLineProps {
  readonly label: string;
  readonly testId: string;
  readonly value: Plain;
  readonly others: readonly Aggregate[];
  readonly onChange: (spec: Plain) => void;
}

/** One side of the ratio: an aggregate and its condition. */
function NumberLine({ label, testId, value, others, onChange }: NumberLineProps) {
  const { columns } = useFormQuery();
  const where = value.where ?? null;
  const whole = withoutCondition(value);
  const choices = ratioChoices([whole, ...others], columns);
  const set = (spec: Plain, condition: Filter | null): void =>
    onChange(
      condition === null || spec.columns !== undefined ? spec : { ...spec, where: condition },
    );
  return (
    <>
      <Select
        label={label}
        testId={testId}
        value={numberName(whole)}
        options={[...choices].map(([name, spec]) => ({ value: name, label: aggregateLabel(spec) }))}
        onChange={(name) => set(choices.get(name) ?? count, where)}
      />
      {whole.columns === undefined && (
        <ConditionLine
          testId={`${testId}-where`}
          where={where}
          onChange={(condition) => set(whole, condition)}
        />
      )}
    </>
  );
}
