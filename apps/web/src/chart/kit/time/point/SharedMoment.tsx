import { useContext, useEffect, useId } from "react";
import { useStore } from "zustand";
import type { TimePlot } from "../plot/plot.js";
import { pixelOfTime } from "../plot/scale.js";
import styles from "./PointedTime.module.css";
import { type SharedMoments, SharedMomentsContext } from "./sharedMoments.js";
import type { Pointed } from "./useTimePointer.js";

export interface SharedMomentProps {
  readonly plot: TimePlot | null;
  /** The place under the pointer on this chart. */
  readonly pointed: Pointed | null;
}

/** Reports the moment that is pointed at here, and marks the one of another chart. */
export function SharedMoment(props: SharedMomentProps) {
  const moments = useContext(SharedMomentsContext);
  return moments === null ? null : <MomentLine {...props} moments={moments} />;
}

interface MomentLineProps extends SharedMomentProps {
  readonly moments: SharedMoments;
}

function MomentLine({ plot, pointed, moments }: MomentLineProps) {
  const chart = useId();
  const timeMs = pointed?.timeMs ?? null;
  useEffect(() => {
    if (timeMs !== null) moments.setState({ pointed: { timeMs, chart } });
    else if (moments.getState().pointed?.chart === chart) moments.setState({ pointed: null });
  }, [moments, timeMs, chart]);
  const { pointed: other } = useStore(moments);
  if (plot === null || other === null || other.chart === chart) return null;
  if (other.timeMs < plot.fromMs || other.timeMs > plot.toMs) return null;
  const left = Math.round(pixelOfTime(plot, other.timeMs));
  return plot.panels.map(({ top, height, measure }) => (
    <div
      key={measure.name}
      className={styles.pointer}
      data-testid="shared-moment"
      style={{ left, top, height }}
    />
  ));
}
