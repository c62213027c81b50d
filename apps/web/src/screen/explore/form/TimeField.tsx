import { resolveTime } from "@hadal/sdk";
import { ChevronDown, Radio } from "lucide-react";
import { type FormEvent, useState } from "react";
import { wholeRange } from "../../../query/opening.js";
import { Button } from "../../../ui/Button.js";
import { Popup } from "../../../ui/Popup.js";
import { ownTimeZone, useExplore } from "../explore.js";
import { rangeInWords } from "../words.js";
import { Fault, Field } from "./Field.js";
import styles from "./form.module.css";
import { readTimeText } from "./timeText.js";

const presets = ["15m", "1h", "3h", "12h", "24h", "2d", "7d", "30d"];

/** When: ready-made ranges, or two times as people write them. */
export function TimeField() {
  const { state, timeZone, dispatch, faultAt } = useExplore();
  const [open, setOpen] = useState(false);
  const words = rangeInWords(state.from, state.to, timeZone);
  return (
    <Field label="Time">
      <div className={styles.line}>
        <Popup
          open={open}
          onOpenChange={setOpen}
          label="Time range"
          trigger={
            <Button
              className={styles.grow}
              data-testid="time-range"
              title={`${state.from} – ${state.to} (${timeZone})`}
            >
              <span className={styles.clip}>{words}</span>
              <ChevronDown size={14} />
            </Button>
          }
        >
          <TimeEditor onDone={() => setOpen(false)} />
        </Popup>
        <Button
          aria-pressed={state.live}
          data-testid="live"
          title="Live: ask again every 5 seconds"
          onClick={() => dispatch({ kind: "set live", live: !state.live })}
        >
          <Radio size={14} /> live
        </Button>
      </div>
      <Fault text={faultAt("from") ?? faultAt("to") ?? faultAt("timeZone")} />
    </Field>
  );
}

function TimeEditor({ onDone }: { readonly onDone: () => void }) {
  const { state, timeZone, dispatch } = useExplore();
  const [from, setFrom] = useState(state.from);
  const [to, setTo] = useState(state.to);
  const [fault, setFault] = useState<string | null>(null);
  const choose = (range: TimeTexts): void => {
    dispatch({ kind: "set time", ...range });
    onDone();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    try {
      const range = { from: readTimeText(from, timeZone), to: readTimeText(to, timeZone) };
      const nowMs = Date.now();
      if (resolveTime(range.from, nowMs) >= resolveTime(range.to, nowMs)) {
        setFault("The start must lie before the end.");
      } else choose(range);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form className={styles.editor} onSubmit={submit}>
      <PresetButtons onChoose={choose} />
      <TimeInput label="From" testId="time-from" value={from} onChange={setFrom} />
      <TimeInput label="To" testId="time-to" value={to} onChange={setTo} />
      <Fault text={fault} />
      <p className={styles.hint}>-3h · now · 2026-11-21 09:00 · 2026-11-21T09:00:00Z</p>
      <div className={styles.line}>
        <ZoneSwitch />
        <Button look="main" type="submit">
          Apply
        </Button>
      </div>
    </form>
  );
}

interface TimeTexts {
  readonly from: string;
  readonly to: string;
}

function PresetButtons({ onChoose }: { readonly onChoose: (range: TimeTexts) => void }) {
  const { state, table } = useExplore();
  const whole = table === null ? null : wholeRange(table);
  return (
    <div className={styles.presets}>
      {presets.map((length) => (
        <Button
          key={length}
          aria-pressed={state.from === `-${length}` && state.to === "now"}
          onClick={() => onChoose({ from: `-${length}`, to: "now" })}
        >
          {length}
        </Button>
      ))}
      {whole !== null && <Button onClick={() => onChoose(whole)}>all data</Button>}
    </div>
  );
}

interface TimeInputProps {
  readonly label: string;
  readonly testId: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TimeInput({ label, testId, value, onChange }: TimeInputProps) {
  return (
    <label className={styles.wide}>
      {label}
      <input
        className={styles.input}
        value={value}
        spellCheck={false}
        data-testid={testId}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

/** Times in the reader's own zone, or in UTC. */
function ZoneSwitch() {
  const { state, timeZone, dispatch } = useExplore();
  const own = ownTimeZone();
  if (own === "UTC" && state.timeZone === null)
    return <span className={styles.hint}>Times in UTC</span>;
  return (
    <Button
      look="quiet"
      className={styles.grow}
      title={`Times are in ${timeZone}`}
      onClick={() =>
        dispatch({ kind: "set zone", timeZone: state.timeZone === null ? "UTC" : null })
      }
    >
      {timeZone} → {state.timeZone === null ? "UTC" : own}
    </Button>
  );
}
