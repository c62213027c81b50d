import { useStore } from "zustand";
import { ErrorBoundary } from "../../ui/page/ErrorBoundary.js";
import { PageRootProvider } from "../../ui/root/pageRoot.js";
import { obstacleOf } from "../state/obstacle.js";
import styles from "../style/embed.module.css";
import { Notice } from "./Notice.js";
import { obstacleWords } from "./refusal.js";
import { ShownChart, type ShownChartProps } from "./ShownChart.js";

export interface EmbedChartProps extends Omit<ShownChartProps, "state"> {
  /** The element that all is drawn in. */
  readonly root: HTMLElement;
}

/** A chart within another page, or why there is none. */
export function EmbedChart({ root, ...chart }: EmbedChartProps) {
  return (
    <PageRootProvider value={root}>
      <div className={styles.frame}>
        <ErrorBoundary title="The chart could not be drawn" resetKey={useStore(chart.store).inputs}>
          <ChartOrNotice {...chart} />
        </ErrorBoundary>
      </div>
    </PageRootProvider>
  );
}

function ChartOrNotice(chart: Omit<EmbedChartProps, "root">) {
  const snapshot = useStore(chart.store);
  const obstacle = obstacleOf(snapshot);
  if (obstacle !== null) {
    return <Notice {...obstacleWords(obstacle)} tone="bad" testId="embed-refused" />;
  }
  const { state } = snapshot;
  if (state === null) return <div className={styles.waiting} aria-busy="true" />;
  return <ShownChart key={snapshot.scopeCount} {...chart} state={state} />;
}
