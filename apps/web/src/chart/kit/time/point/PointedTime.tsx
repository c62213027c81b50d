import { useMemo } from "react";
import { PointerTooltip } from "../../pointer/PointerTooltip.js";
import type { TimePlot } from "../plot/plot.js";
import { pixelOfTime } from "../plot/scale.js";
import { nearestIndex } from "./interact.js";
import styles from "./PointedTime.module.css";
import { timeTooltip } from "./tooltipContent.js";
import type { Pointed } from "./useTimePointer.js";

export interface PointedTimeProps {
  readonly plot: TimePlot;
  readonly pointed: Pointed;
}

/** The bucket under the pointer: a line through all panels, and its tooltip. */
export function PointedTime({ plot, pointed }: PointedTimeProps) {
  const { drawing, panels } = plot;
  const { timesMs } = drawing.set;
  const at = nearestIndex(timesMs, pointed.timeMs);
  const content = useMemo(
    () => (timesMs.length === 0 ? null : timeTooltip(drawing, at, pointed.panel)),
    [drawing, timesMs, at, pointed.panel],
  );
  const left = Math.round(pixelOfTime(plot, timesMs[at] ?? pointed.timeMs));
  return (
    <>
      {panels.map(({ top, height, measure }) => (
        <div key={measure.name} className={styles.pointer} style={{ left, top, height }} />
      ))}
      <PointerTooltip content={content} x={pointed.x} y={pointed.y} />
    </>
  );
}
