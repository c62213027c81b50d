import type { ClusterPlan, PlanPoint } from "@hadal/sdk";
import { formatMs } from "../../../format/duration.js";
import { formatCompact, formatExact } from "../../../format/number.js";
import { formatBytes } from "../../../format/value.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import styles from "./planner.module.css";

export interface PlanPointsProps {
  readonly label: string;
  readonly testId: string;
  readonly plan: ClusterPlan;
  readonly points: readonly PlanPoint[];
  /** What the points differ in. */
  readonly axis: "machines" | "fanOut";
  readonly hrefOf: (point: PlanPoint) => string;
}

/** Other clusters for the same rows, and how their times differ from the plan's. */
export function PlanPoints({ label, testId, plan, points, axis, hrefOf }: PlanPointsProps) {
  const longest = Math.max(...points.map(({ predictedMs }) => predictedMs ?? 0));
  const isPlanned = (point: PlanPoint): boolean => point[axis] === plan.planned[axis];
  const columns: readonly DataColumn<PlanPoint>[] = [
    {
      key: "axis",
      head: axis === "machines" ? "Machines" : "Fan-out",
      align: "right",
      cell: (point) => (
        <a
          className={styles.link}
          href={hrefOf(point)}
          aria-current={isPlanned(point) ? "true" : undefined}
        >
          {formatExact(point[axis])}
        </a>
      ),
    },
    ...numberColumns,
    {
      key: "bar",
      head: <span className={styles.hidden}>Bar</span>,
      wideOnly: true,
      cell: ({ predictedMs }) => (
        <span className={styles.track}>
          <i className={styles.time} style={{ width: shareOf(predictedMs, longest) }} />
        </span>
      ),
    },
    {
      key: "difference",
      head: "Difference",
      align: "right",
      cell: (point) => (isPlanned(point) ? "planned" : differenceText(point, plan)),
    },
  ];
  return (
    <DataTable
      {...{ label, testId, columns }}
      rows={points}
      rowKey={({ machines, fanOut }) => `${machines} ${fanOut}`}
    />
  );
}

const numberColumns: readonly DataColumn<PlanPoint>[] = [
  { key: "levels", head: "Levels", align: "right", cell: ({ levels }) => levels },
  {
    key: "rows",
    head: "Rows a leaf",
    align: "right",
    wideOnly: true,
    cell: ({ rows }) => <span title={formatExact(rows)}>{formatCompact(rows)}</span>,
  },
  {
    key: "memory",
    head: "Memory a leaf",
    align: "right",
    wideOnly: true,
    cell: ({ leafBytes }) => (leafBytes === null ? "–" : formatBytes(leafBytes)),
  },
  {
    key: "predicted",
    head: "Predicted",
    align: "right",
    cell: ({ predictedMs }) => (predictedMs === null ? "–" : formatMs(predictedMs)),
  },
];

const shareOf = (ms: number | null, longest: number): string =>
  ms === null || longest === 0 ? "0" : `${(ms / longest) * 100}%`;

function differenceText({ predictedMs }: PlanPoint, plan: ClusterPlan): string {
  if (predictedMs === null || plan.predictedMs === null) return "–";
  const ms = predictedMs - plan.predictedMs;
  return ms > 0 ? `+${formatMs(ms)}` : formatMs(ms);
}
