import { HadalError } from "@hadal/sdk";
import { ChevronDown, ChevronLeft, ChevronRight, Pause, Radio, ZoomOut } from "lucide-react";
import { useState } from "react";
import { shiftRange, widenRange } from "../../../draft/edit/shiftTime.js";
import { rangeInWords } from "../../../format/rangeInWords.js";
import type { TimeTexts } from "../../../format/timeText.js";
import { Button } from "../../../ui/button/Button.js";
import { Fault } from "../../../ui/field/Fault.js";
import { Popup } from "../../../ui/popup/Popup.js";
import { useFormQuery } from "../../formQuery.js";
import { Field } from "../part/Field.js";
import styles from "../part/form.module.css";
import { rememberTime } from "./recentTimes.js";
import { TimePicker } from "./TimePicker.js";

/** The time range: its picker, steps by its length, and live. */
export function TimeField() {
  const { state, timeZone, dispatch, faultAt } = useFormQuery();
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
              title={`${state.from} – ${state.to} (${timeZone}) ( t )`}
            >
              <span className={styles.clip}>{words}</span>
              <ChevronDown size={14} />
            </Button>
          }
        >
          <TimePicker
            onChoose={(range) => {
              rememberTime(range);
              dispatch({ kind: "set time", ...range });
              setOpen(false);
            }}
          />
        </Popup>
        <LiveButton />
      </div>
      <Steps />
      <Fault text={faultAt("from") ?? faultAt("to") ?? faultAt("timeZone")} />
    </Field>
  );
}

function LiveButton() {
  const { state, dispatch } = useFormQuery();
  const { live } = state;
  const title = live ? "Pause: keep this answer ( l )" : "Live: run again every 5 seconds ( l )";
  return (
    <Button
      aria-pressed={live}
      data-testid="live"
      title={title}
      onClick={() => dispatch({ kind: "set live", live: !live })}
    >
      {live ? <Pause size={14} /> : <Radio size={14} />} live
    </Button>
  );
}

/** Buttons: earlier and later by the length of the range, and twice the range. */
function Steps() {
  const { state, timeZone, dispatch } = useFormQuery();
  const go = (rangeOf: (nowMs: number) => TimeTexts) => () => {
    try {
      dispatch({ kind: "set time", ...rangeOf(Date.now()) });
    } catch (error) {
      // An unreadable time is marked at its field.
      if (!(error instanceof HadalError)) throw error;
    }
  };
  return (
    <div className={styles.steps}>
      <Button
        look="quiet"
        data-testid="time-earlier"
        aria-label="Earlier"
        title="Earlier by the length of the range ( [ )"
        onClick={go((nowMs) => shiftRange(state, -1, { nowMs, timeZone }))}
      >
        <ChevronLeft size={14} />
      </Button>
      <Button
        look="quiet"
        data-testid="time-later"
        aria-label="Later"
        title="Later by the length of the range ( ] )"
        disabled={state.to === "now"}
        onClick={go((nowMs) => shiftRange(state, 1, { nowMs, timeZone }))}
      >
        <ChevronRight size={14} />
      </Button>
      <Button
        look="quiet"
        data-testid="time-wider"
        aria-label="Zoom out"
        title="Zoom out: twice the range ( z )"
        onClick={go((nowMs) => widenRange(state, { nowMs, timeZone }))}
      >
        <ZoomOut size={14} />
      </Button>
      <span className={styles.zone} title="The time zone of all times ( u: UTC or yours )">
        {timeZone}
      </span>
    </div>
  );
}
