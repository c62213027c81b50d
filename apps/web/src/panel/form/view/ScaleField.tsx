import { Ruler } from "lucide-react";
import {
  type AxisChoice,
  averageMax,
  type LineOptions,
  plainAxis,
  printAxes,
  readAverage,
  readLineOptions,
} from "../../../chart/kit/legend/lineOptions.js";
import { readThresholds } from "../../../chart/spec/thresholds.js";
import { type ValueAxis, valueAxes } from "../../../draft/ask/axes.js";
import { optionsInForce } from "../../../draft/ask/viewOptions.js";
import { amountExample, parseAmount, printAmount } from "../../../format/amount.js";
import { Select } from "../../../ui/button/Select.js";
import { PopupButton } from "../../../ui/popup/PopupButton.js";
import { useFormQuery } from "../../formQuery.js";
import { Field } from "../part/Field.js";
import { TypedOption } from "../part/TypedOption.js";
import { isAbove, isBelow, lineSummary } from "./lineSummary.js";
import styles from "./ScaleField.module.css";

/** Axes, thresholds, moving average and bars of a chart over time. */
export function ScaleField() {
  const { state, columns, dispatch } = useFormQuery();
  const options = optionsInForce(state, columns);
  const lines = readLineOptions(options);
  const axes = valueAxes(state, options);
  const set = (name: string, value: string | null) => dispatch({ kind: "set option", name, value });
  return (
    <Field label="Lines">
      <PopupButton
        label="Scale and lines"
        title="Log scale, ends of the axis, thresholds, moving average, lines or bars"
        testId="scale-and-lines"
        icon={
          <>
            <Ruler size={14} />
            <span className={styles.summary}>{lineSummary(lines, axes)}</span>
          </>
        }
      >
        {() => <ScaleEditor lines={lines} axes={axes} onSet={set} />}
      </PopupButton>
    </Field>
  );
}

interface ScaleEditorProps {
  readonly lines: LineOptions;
  readonly axes: readonly ValueAxis[];
  /** Sets an option of the view; null: its default. */
  readonly onSet: (name: string, value: string | null) => void;
}

function ScaleEditor({ lines, axes, onSet }: ScaleEditorProps) {
  return (
    <div className={styles.editor} data-testid="scale-editor">
      <div className={styles.row}>
        <span>Draw as</span>
        <Select
          label="Draw as"
          testId="option-draw"
          value={lines.isBars ? "bars" : "line"}
          options={[
            { value: "line", label: "lines" },
            { value: "bars", label: "bars" },
          ]}
          onChange={(value) => onSet("draw", value === "bars" ? value : null)}
        />
      </div>
      <div className={styles.row}>
        <span>Average of</span>
        <TypedOption
          key={lines.averageOf}
          label="Moving average, in buckets"
          testId="option-average"
          hint={`buckets, 2 to ${averageMax}`}
          value={lines.averageOf > 1 ? String(lines.averageOf) : ""}
          accepts={(text) => readAverage(text) !== null}
          onChange={(text) => onSet("average", text === "" ? null : text)}
        />
      </div>
      {axes.map((axis) => (
        <AxisFields
          key={axis.name}
          axis={axis}
          choice={lines.axes.get(axis.name) ?? plainAxis}
          onChange={(choice) =>
            onSet("axes", printAxes(new Map([...lines.axes, [axis.name, choice]])))
          }
        />
      ))}
    </div>
  );
}

interface AxisFieldsProps {
  readonly axis: ValueAxis;
  readonly choice: AxisChoice;
  readonly onChange: (choice: AxisChoice) => void;
}

function AxisFields({ axis, choice, onChange }: AxisFieldsProps) {
  const { label, name, unit } = axis;
  const { min, max, thresholds, isLog } = choice;
  const print = (value: number | null) => (value === null ? "" : printAmount(value, unit));
  const read = (text: string) => parseAmount(text, unit);
  const example = amountExample(unit);
  return (
    <fieldset className={styles.axis} data-testid="axis-fields">
      <legend title={label}>{label}</legend>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={isLog}
          data-testid="axis-log"
          onChange={(event) => onChange({ ...choice, isLog: event.target.checked })}
        />
        log scale
      </label>
      <div className={styles.row}>
        <span>From, to</span>
        <TypedOption
          key={`min ${name} ${min}`}
          label={`Lower end of ${label}`}
          testId="axis-min"
          hint="automatic"
          value={print(min)}
          accepts={(text) => isBelow(read(text), max)}
          onChange={(text) => onChange({ ...choice, min: text === "" ? null : read(text) })}
        />
        <TypedOption
          key={`max ${name} ${max}`}
          label={`Upper end of ${label}`}
          testId="axis-max"
          hint="automatic"
          value={print(max)}
          accepts={(text) => isAbove(read(text), min)}
          onChange={(text) => onChange({ ...choice, max: text === "" ? null : read(text) })}
        />
      </div>
      <div className={styles.row}>
        <span>Thresholds</span>
        <TypedOption
          key={`at ${name} ${thresholds.join()}`}
          label={`Thresholds of ${label}`}
          testId="axis-thresholds"
          hint={`e.g. ${example}`}
          value={thresholds.map(print).join(", ")}
          accepts={(text) => readThresholds(text, read) !== null}
          onChange={(text) => onChange({ ...choice, thresholds: readThresholds(text, read) ?? [] })}
        />
      </div>
      {example !== "1000" && <p className={styles.hint}>Numbers like {example}.</p>}
    </fieldset>
  );
}
