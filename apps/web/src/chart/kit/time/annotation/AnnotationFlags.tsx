import { Bell, Flag as FlagIcon } from "lucide-react";
import { useContext, useMemo } from "react";
import { formatInstant } from "../../../../format/time.js";
import type { OnIntent } from "../../answer/intent.js";
import { type Flag, flagPx, flagsOf } from "../plot/flags.js";
import type { TimePlot } from "../plot/plot.js";
import { markOfTimes } from "../point/marks.js";
import styles from "./AnnotationFlags.module.css";
import { ShownAnnotations } from "./shownAnnotations.js";

export interface AnnotationFlagsProps {
  readonly plot: TimePlot;
  readonly onIntent: OnIntent;
}

/** A thin line with a flag at the axis for what happened then. A flag opens the menu of its moment. */
export function AnnotationFlags({ plot, onIntent }: AnnotationFlagsProps) {
  const { annotations, notes } = useContext(ShownAnnotations);
  const flags = useMemo(() => flagsOf(plot, annotations), [plot, annotations]);
  const lack = notes.join("; ");
  return (
    <>
      {flags.map((flag) => (
        <OneFlag key={flag.annotations[0]?.id} flag={flag} plot={plot} onIntent={onIntent} />
      ))}
      {lack !== "" && (
        <small className={styles.lack} role="status" title={lack} data-testid="annotations-lack">
          {lack}
        </small>
      )}
    </>
  );
}

/** Longer lists are cut: the rest is counted. */
const shownMax = 6;

function OneFlag({ flag, plot, onIntent }: AnnotationFlagsProps & { readonly flag: Flag }) {
  const { leftPx, rightPx, timeMs, annotations } = flag;
  const { drawing, panels } = plot;
  const [first, last] = [panels[0], panels.at(-1)];
  if (first === undefined || last === undefined) return null;
  const bottom = last.top + last.height;
  const { timeZone, toMs, bucketMs } = drawing.input;
  const label = annotations.map(({ title }) => title).join(", ");
  const areFirings = annotations.every(({ alert }) => alert !== undefined);
  const Icon = areFirings ? Bell : FlagIcon;
  const side = leftPx > drawing.width / 2 ? styles.toLeft : styles.toRight;
  const open = (button: HTMLElement): void => {
    const box = button.getBoundingClientRect();
    const range = { fromMs: timeMs, toMs: Math.min(toMs, timeMs + (bucketMs ?? 1)) };
    const mark = markOfTimes(range, drawing, { x: box.left, y: box.bottom });
    const alerts = annotations.flatMap(({ alert, title }) => (alert ? [{ id: alert, title }] : []));
    onIntent({ kind: "pick", mark: { ...mark, label, momentMs: timeMs, alerts } });
  };
  return (
    <>
      <div
        className={styles.line}
        data-firing={areFirings}
        style={{
          ...{ left: leftPx, top: first.top, height: bottom - first.top },
          width: Math.max(1, rightPx - leftPx),
        }}
      />
      <button
        type="button"
        className={styles.flag}
        style={{ left: leftPx - 4, top: bottom - flagPx }}
        data-testid="annotation"
        data-firing={areFirings}
        aria-label={`${areFirings ? "Alert" : "Annotation"}: ${label}, ${formatInstant(timeMs, timeZone)}`}
        onPointerDown={(event) => event.stopPropagation()}
        onPointerUp={(event) => event.stopPropagation()}
        onKeyDown={(event) => event.stopPropagation()}
        onClick={(event) => open(event.currentTarget)}
      >
        <Icon size={12} aria-hidden="true" />
        {annotations.length > 1 && <small>{annotations.length}</small>}
        <span className={`${styles.note} ${side}`} aria-hidden="true">
          {annotations.slice(0, shownMax).map(({ id, title, text, timeMs: at }) => (
            <span key={id}>
              <b>{title}</b>
              <small>{formatInstant(at, timeZone)}</small>
              {text !== "" && <span>{text}</span>}
            </span>
          ))}
          {annotations.length > shownMax && <small>{annotations.length - shownMax} more</small>}
        </span>
      </button>
    </>
  );
}
