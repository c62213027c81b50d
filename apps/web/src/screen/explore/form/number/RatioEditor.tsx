import { type ColumnInfo, type Filter, sampleRateColumn, timeColumn } from "@hadal/sdk";
import { type FormEvent, useState } from "react";
import {
  type Aggregate,
  isRatio,
  type Plain,
  type Ratio,
} from "../../../../query/number/aggregate.js";
import { aggregateLabel, numberName } from "../../../../query/number/labels.js";
import { Button } from "../../../../ui/button/Button.js";
import { Select } from "../../../../ui/button/Select.js";
import { useExplore } from "../../explore.js";
import { ConditionLine } from "../filter/ConditionLine.js";
import { Fault } from "../part/Field.js";
import styles from "../part/form.module.css";

export interface RatioEditorProps {
  /** null: a new one. */
  readonly initial: Ratio | null;
  /** The other numbers of the form: a ratio may be of them, and needs a name of its own. */
  readonly others: readonly Aggregate[];
  readonly onDone: (spec: Ratio) => void;
}

const count: Plain = { fn: "count" };

/** One number by another, each of all rows or of some: an error rate, bytes per request. */
export function RatioEditor({ initial, others, onDone }: RatioEditorProps) {
  const [of, setOf] = useState<Plain>(initial?.of ?? count);
  const [by, setBy] = useState<Plain>(initial?.by ?? count);
  const [isPercent, setPercent] = useState(initial === null || initial.percent === true);
  const [as, setAs] = useState(initial?.as ?? "");
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const name = as.trim();
    const spec: Ratio = {
      ...{ fn: "ratio", of, by },
      ...(isPercent && { percent: true as const }),
      ...(name !== "" && { as: name }),
    };
    if (numberName(of) === numberName(by)) {
      setFault("It is 1 always: choose other numbers, or some rows of one.");
    } else if (others.some((other) => numberName(other) === numberName(spec))) {
      setFault(`“${numberName(spec)}” is shown already: give this one a name of its own.`);
    } else onDone(spec);
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
          placeholder="as it is"
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

/** A number, and which rows it is of. */
function NumberLine({ label, testId, value, others, onChange }: NumberLineProps) {
  const { columns } = useExplore();
  const where = value.where ?? null;
  const whole = withoutCondition(value);
  const choices = choicesOf([whole, ...others], columns);
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

function withoutCondition(spec: Plain): Plain {
  if (spec.columns !== undefined || spec.where === undefined) return spec;
  const { where: _, as: __, ...whole } = spec;
  return whole;
}

/** Numbers that the form shows, then counting, then sums of the columns that measure something. */
function choicesOf(
  shown: readonly Aggregate[],
  columns: readonly ColumnInfo[],
): ReadonlyMap<string, Plain> {
  const own = shown.filter((spec) => !isRatio(spec)).map(withoutCondition);
  const sums = columns
    .filter(({ name, type }) => type === "int" && name !== timeColumn && name !== sampleRateColumn)
    .map(({ name }): Plain => ({ fn: "sum", column: name }));
  return new Map([...own, count, ...sums].map((spec) => [numberName(spec), spec]));
}
