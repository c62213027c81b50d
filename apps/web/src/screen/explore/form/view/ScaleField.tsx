import { Ruler } from "lucide-react";
import {
  type AxisChoice,
  averageMax,
  type LineOptions,
  plainAxis,
  printAxes,
  readAverage,
  readLineOptions,
} from "../../../../chart/kit/legend/lineOptions.js";
import { readThresholds } from "../../../../chart/spec/thresholds.js";
import { type ValueAxis, valueAxes } from "../../../../draft/ask/axes.js";
import { optionsInForce } from "../../../../draft/ask/viewOptions.js";
import { amountExample, parseAmount, printAmount } from "../../../../format/amount.js";
import { Select } from "../../../../ui/button/Select.js";
import { PopupButton } from "../../../../ui/popup/PopupButton.js";
import { useExplore } from "../../explore.js";
import { Field } from "../part/Field.js";
import { WrittenChoice } from "../part/WrittenChoice.js";
import styles from "./ScaleField.module.css";

/** Axes, thresholds, averages and bars of a chart over time. */
export function ScaleField() {
  const { state, columns, dispatch } = useExplore();
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
            <span className={styles.summary}>{summaryOf(lines, axes)}</span>
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
  /** An option of the view; null: as the view has it. */
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
        <WrittenChoice
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
        <WrittenChoice
          key={`min ${name} ${min}`}
          label={`Lower end of ${label}`}
          testId="axis-min"
          hint="automatic"
          value={print(min)}
          accepts={(text) => isEnd(read(text), (end) => max === null || end < max)}
          onChange={(text) => onChange({ ...choice, min: text === "" ? null : read(text) })}
        />
        <WrittenChoice
          key={`max ${name} ${max}`}
          label={`Upper end of ${label}`}
          testId="axis-max"
          hint="automatic"
          value={print(max)}
          accepts={(text) => isEnd(read(text), (end) => min === null || end > min)}
          onChange={(text) => onChange({ ...choice, max: text === "" ? null : read(text) })}
        />
      </div>
      <div className={styles.row}>
        <span>Thresholds</span>
        <WrittenChoice
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

/** What an end is written as must be read, and lie on its side of the other end. */
function isEnd(written: number | null, isOnItsSide: (end: number) => boolean): boolean {
  return written !== null && isOnItsSide(written);
}

/** What is chosen, in a few words. */
function summaryOf({ isBars, averageOf, axes }: LineOptions, known: readonly ValueAxis[]): string {
  const chosen = known.flatMap(({ name }) => axes.get(name) ?? []);
  const has = (test: (choice: AxisChoice) => boolean): boolean => chosen.some(test);
  const words = [
    ...(isBars ? ["bars"] : []),
    ...(averageOf > 1 ? [`average of ${averageOf}`] : []),
    ...(has(({ isLog }) => isLog) ? ["log scale"] : []),
    ...(has(({ min, max }) => min !== null || max !== null) ? ["fixed axis"] : []),
    ...(has(({ thresholds }) => thresholds.length > 0) ? ["thresholds"] : []),
  ];
  return words.length === 0 ? "scale and lines" : words.join(", ");
}
