import { documentTitleMax } from "@hadal/sdk";
import { durationInWords, printDuration } from "../../format/duration.js";
import { SelectField } from "../../ui/field/SelectField.js";
import { TextField } from "../../ui/field/TextField.js";
import styles from "./alert.module.css";
import {
  type AlertFaults,
  type AlertForm,
  againstChoices,
  forTimesChoices,
  isOnScale,
  needsAgainst,
  needsValue,
  repeatChoicesMs,
  windowChoicesMs,
} from "./alertForm.js";
import { againstInWords, operatorWords } from "./alertWords.js";
import { ChannelFields, type ChannelFieldsProps } from "./ChannelFields.js";

export interface AlertFieldsProps {
  readonly form: AlertForm;
  readonly faults: AlertFaults;
  /** Columns of the result that can be watched. */
  readonly numbers: readonly string[];
  readonly hasGroups: boolean;
  /** An example of a bound, such as `250ms`. */
  readonly example: string;
  readonly onSet: (part: Partial<AlertForm>) => void;
  readonly onTest: ChannelFieldsProps["onTest"];
}

const lengthInWords = (ms: number): string => durationInWords(printDuration(ms));

/** Everything that a rule says, the condition first. */
export function AlertFields(props: AlertFieldsProps) {
  const { form, faults, hasGroups, onSet, onTest } = props;
  return (
    <div className={styles.fields}>
      <TextField
        label="Title"
        testId="alert-title"
        value={form.title}
        lengthMax={documentTitleMax}
        fault={faults.title}
        onChange={(title) => onSet({ title })}
      />
      <ConditionFields {...props} />
      {hasGroups && form.op !== "new-group" && (
        <Check
          label="Each group by itself"
          testId="alert-per-group"
          isOn={form.perGroup}
          onChange={(perGroup) => onSet({ perGroup })}
        />
      )}
      <ChannelFields
        channels={form.channels}
        faults={faults}
        onChange={(channels) => onSet({ channels })}
        onTest={onTest}
      />
      <MoreFields {...props} />
    </div>
  );
}

function ConditionFields({ form, faults, numbers, hasGroups, example, onSet }: AlertFieldsProps) {
  const { op } = form;
  const operators = Object.entries(operatorWords).filter(
    ([name]) => hasGroups || name !== "new-group",
  );
  return (
    <>
      <div className={styles.row}>
        {needsValue(op) && (
          <SelectField
            label="When"
            testId="alert-number"
            value={form.aggregate}
            options={numbers.map((name) => ({ value: name, label: name }))}
            fault={faults.aggregate}
            onChange={(aggregate) => onSet({ aggregate })}
          />
        )}
        <SelectField
          label={needsValue(op) ? "does this" : "When the table"}
          testId="alert-op"
          value={op}
          options={operators.map(([value, label]) => ({ value, label }))}
          fault={faults.op}
          onChange={(next) => {
            const chosen = next as AlertForm["op"];
            // A bound on another scale would be read as a wrong one.
            const isSameScale = isOnScale(chosen) === isOnScale(op);
            onSet({ op: chosen, ...(!isSameScale && { value: isOnScale(chosen) ? "" : "20" }) });
          }}
        />
        {needsValue(op) && (
          <div className={styles.value}>
            <TextField
              label={valueLabel(op)}
              testId="alert-value"
              value={form.value}
              example={isOnScale(op) ? example : "20"}
              fault={faults.value}
              onChange={(value) => onSet({ value })}
            />
          </div>
        )}
      </div>
      <div className={styles.row}>
        {needsAgainst(op) && (
          <SelectField
            label={op === "changed-by" ? "against" : "looking back"}
            testId="alert-against"
            value={form.against}
            options={againstChoices.map((value) => ({
              value,
              label: op === "changed-by" ? againstInWords(value) : durationInWords(value),
            }))}
            fault={faults.against}
            onChange={(against) => onSet({ against })}
          />
        )}
        <Choice
          label="in a window of"
          testId="alert-window"
          value={form.windowMs}
          choices={windowChoicesMs}
          words={lengthInWords}
          onChange={(windowMs) => onSet({ windowMs })}
        />
        <Choice
          label="for"
          testId="alert-times"
          value={form.forTimes}
          choices={forTimesChoices}
          words={(times) => (times === 1 ? "one window" : `${times} windows in a row`)}
          onChange={(forTimes) => onSet({ forTimes })}
        />
      </div>
    </>
  );
}

function valueLabel(op: AlertForm["op"]): string {
  if (isOnScale(op)) return "this";
  return op === "changed-by" ? "percent" : "times its spread";
}

/** What most rules leave as it is. */
function MoreFields({ form, faults, onSet }: AlertFieldsProps) {
  return (
    <details
      className={styles.more}
      data-testid="alert-more"
      open={faults.completeness !== undefined}
    >
      <summary>How sure it must be, and reminders</summary>
      <div className={styles.moreFields}>
        <TextField
          label="Least share of the rows, in %"
          testId="alert-completeness"
          value={form.completeness}
          hint="With fewer rows the state is “cannot tell”, and nothing fires."
          fault={faults.completeness}
          onChange={(completeness) => onSet({ completeness })}
        />
        <Check
          label="Also when the difference lies within its error bars"
          testId="alert-within-bars"
          isOn={form.judgeWithinBars}
          onChange={(judgeWithinBars) => onSet({ judgeWithinBars })}
        />
        <Check
          label="Send a message when it cannot tell"
          testId="alert-unknown"
          isOn={form.notifyUnknown}
          onChange={(notifyUnknown) => onSet({ notifyUnknown })}
        />
        <Choice
          label="Send it again while it fires"
          testId="alert-repeat"
          value={form.repeatMs}
          choices={repeatChoicesMs}
          words={(ms) => (ms === 0 ? "never" : `every ${lengthInWords(ms)}`)}
          onChange={(repeatMs) => onSet({ repeatMs })}
        />
      </div>
    </details>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly testId: string;
  readonly value: number;
  readonly choices: readonly number[];
  readonly words: (value: number) => string;
  readonly onChange: (value: number) => void;
}

/** A saved value that is no choice is one more. */
function Choice({ label, testId, value, choices, words, onChange }: ChoiceProps) {
  const offered = choices.includes(value) ? choices : [...choices, value];
  return (
    <SelectField
      {...{ label, testId, fault: undefined }}
      value={String(value)}
      options={offered.map((one) => ({ value: String(one), label: words(one) }))}
      onChange={(text) => onChange(Number(text))}
    />
  );
}

interface CheckProps {
  readonly label: string;
  readonly testId: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

const Check = ({ label, testId, isOn, onChange }: CheckProps) => (
  <label className={styles.check}>
    <input
      type="checkbox"
      data-testid={testId}
      checked={isOn}
      onChange={(event) => onChange(event.target.checked)}
    />
    {label}
  </label>
);
