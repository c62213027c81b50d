import type { ClusterPlan } from "@hadal/sdk";
import { formatMs } from "../../../format/duration.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import styles from "./planner.module.css";

interface TimePart {
  readonly name: string;
  readonly ms: number;
  readonly formula: string;
  readonly why: string;
}

/** What the predicted time consists of: a bar, and the parts with the measured times that they come from. */
export function PlanTimes({ plan }: { readonly plan: ClusterPlan }) {
  const parts = partsOf(plan);
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(({ name, ms }, i) => (
          <i key={name} data-part={i} style={{ flexGrow: ms }} title={`${name}: ${formatMs(ms)}`} />
        ))}
      </div>
      <DataTable
        label="Parts of the predicted time"
        testId="plan-parts"
        columns={columns}
        rows={parts.map((part, index) => ({ ...part, index }))}
        rowKey={({ name }) => name}
      />
    </>
  );
}

const columns: readonly DataColumn<TimePart & { readonly index: number }>[] = [
  {
    key: "name",
    head: "Part",
    cell: ({ name, index }) => (
      <span className={styles.part}>
        <i className={styles.swatch} data-part={index} />
        {name}
      </span>
    ),
  },
  { key: "ms", head: "Time", align: "right", cell: ({ ms }) => formatMs(ms) },
  { key: "formula", head: "From", cell: ({ formula, why }) => <span title={why}>{formula}</span> },
  { key: "why", head: "Which is", wideOnly: true, cell: ({ why }) => why },
];

function partsOf({ parts, measured, levels, tree }: ClusterPlan): readonly TimePart[] {
  const { ts, ta, td, tg, rootMs } = measured;
  if (parts === null || ts === null || ta === null || td === null || tg === null) return [];
  const children = tree.map((level) => level.children).join(" + ");
  return [
    {
      ...{ name: "Scan", ms: parts.scanMs, formula: `T_S = ${formatMs(ts)}` },
      why: "a machine waits for its slowest leaf",
    },
    {
      ...{ name: "Ways", ms: parts.linksMs },
      formula: `L · (T_D + T_G) = ${levels} · (${formatMs(td)} + ${formatMs(tg)})`,
      why: "each level sends the question down and the answer up",
    },
    {
      ...{ name: "Merging", ms: parts.mergeMs },
      formula: `(F · (L − 1) + R + D) · T_A = (${children}) · ${formatMs(ta)}`,
      why: "on the way up every aggregator merges its children's answers",
    },
    ...(rootMs === null
      ? []
      : [
          {
            ...{ name: "Gateway", ms: rootMs, formula: "beside the tree" },
            why: "binding the query and finishing the answer; not part of the predicted time",
          },
        ]),
  ];
}
