import type { ClusterPlan } from "@hadal/sdk";
import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { formatMs } from "../../../format/duration.js";
import { formatCompact, formatExact, formatRatio } from "../../../format/number.js";
import { formatBytes } from "../../../format/value.js";
import type { Session } from "../../../session/session.js";
import { Awaited } from "../../../ui/page/Awaited.js";
import { type Fact, Facts } from "../../../ui/page/Facts.js";
import { LinkTabs } from "../../../ui/page/LinkTabs.js";
import { Page, Section } from "../../../ui/page/Page.js";
import { Strip } from "../../../ui/page/Strip.js";
import { statusTabs } from "../statusTabs.js";
import { PlanForm } from "./PlanForm.js";
import { PlanPoints } from "./PlanPoints.js";
import { PlanTimes } from "./PlanTimes.js";
import { PlanTree } from "./PlanTree.js";
import styles from "./planner.module.css";
import {
  checkInputs,
  type PlannerInputs,
  printInputs,
  readInputs,
  withNumber,
} from "./plannerInputs.js";
import { isDrawnInPart, nodesMax } from "./treeDrawing.js";
import { usePlan } from "./usePlan.js";

export interface PlannerScreenProps {
  readonly session: Session;
  /** The query string of the address: it holds the whole form. */
  readonly search: string;
  readonly onReplace: (url: string) => void;
}

/** How long a query would take on another cluster, by times measured in this one. */
export function PlannerScreen({ session, search, onReplace }: PlannerScreenProps) {
  const inputs = useMemo(() => readInputs(search), [search]);
  const { asked, faults } = useMemo(() => checkInputs(inputs), [inputs]);
  const { plan, problem, again } = usePlan(session, JSON.stringify(asked));
  const { tables } = useStore(session);
  useEffect(() => {
    document.title = "Planner · Hadal";
    if (session.getState().tables === null) void session.loadTables();
  }, [session]);
  return (
    <Page testId="planner-screen" title="Status">
      <LinkTabs tabs={statusTabs} tab="planner" />
      <PlanForm
        {...{ inputs, faults }}
        planned={plan?.planned ?? null}
        tables={(tables ?? []).map(({ name }) => name)}
        onChange={(next) => onReplace(printInputs(next))}
      />
      {problem !== null && plan !== null && <Strip tone="bad">{problem}</Strip>}
      {plan === null ? (
        <Awaited problem={problem} title="The plan cannot be loaded" onAgain={again} />
      ) : (
        <ShownPlan plan={plan} inputs={inputs} />
      )}
    </Page>
  );
}

interface ShownPlanProps {
  readonly plan: ClusterPlan;
  readonly inputs: PlannerInputs;
}

function ShownPlan({ plan, inputs }: ShownPlanProps) {
  const { notes, predictedMs, otherMachines, otherFanOuts, planned } = plan;
  return (
    <>
      <Facts facts={factsOf(plan)} />
      {notes.map((note) => (
        <p key={note} className={styles.note} data-testid="plan-note">
          {note}
        </p>
      ))}
      <Section title="The tree">
        <PlanTree plan={plan} />
        {isDrawnInPart(plan) && (
          <p className={styles.model}>At most {nodesMax} nodes of a level are drawn.</p>
        )}
      </Section>
      {predictedMs !== null && (
        <Section title="Where the time goes" note={measuredText(plan)}>
          <PlanTimes plan={plan} />
        </Section>
      )}
      <Section title="The same rows on other machines">
        <PlanPoints
          {...{ plan, points: otherMachines, axis: "machines" }}
          label="Other numbers of machines"
          testId="plan-other-machines"
          hrefOf={({ machines, rows }) =>
            // The rows move with the machines: their sum stays.
            printInputs(
              withNumber(withNumber(inputs, "machines", `${machines}`), "rows", `${rows}`),
            )
          }
        />
      </Section>
      <Section title={`${machinesText(planned.machines)} with another fan-out`}>
        <PlanPoints
          {...{ plan, points: otherFanOuts, axis: "fanOut" }}
          label="Other fan-outs"
          testId="plan-other-fan-outs"
          hrefOf={({ fanOut }) => printInputs(withNumber(inputs, "fanOut", `${fanOut}`))}
        />
      </Section>
      <Section title="The model">
        <p className={styles.model}>
          T_L = T_S + L · (T_D + T_G) + (F · (L − 1) + R + D) · T_A, for L = ⌈log_F N⌉ levels above
          N machines of D leaves each, where the lowest level has R = ⌈N ÷ F^(L−1)⌉ children. It is
          Equation 4 of the Scuba paper, expanded. Equation 5 as printed there lacks T_A on R and D:
          those are numbers of children, not times.
        </p>
      </Section>
    </>
  );
}

const queriesText = (count: number): string =>
  `${formatExact(count)} ${count === 1 ? "query" : "queries"}`;

/** Where the figures come from, and how well they have predicted. */
function measuredText({ measured, accuracy }: ClusterPlan): string {
  const source = `measured in ${queriesText(measured.queries)}`;
  if (accuracy === null) return source;
  const { queries, median, low, high } = accuracy;
  return `${source} · the last ${queriesText(queries)} took ${formatRatio(median)} the predicted time, half of them ${formatRatio(low)} to ${formatRatio(high)}`;
}

const machinesText = (count: number): string =>
  count === 1 ? "1 machine" : `${formatExact(count)} machines`;

function factsOf({ predictedMs, levels, measured, memory, planned }: ClusterPlan): readonly Fact[] {
  const { machines, leaves, rows } = planned;
  const { rootMs } = measured;
  const allRows = machines * leaves * rows;
  return [
    {
      name: "predicted",
      value: predictedMs === null ? "not measured" : formatMs(predictedMs),
      note: rootMs === null ? "" : `and ${formatMs(rootMs)} at the gateway`,
    },
    {
      name: "levels above the machines",
      value: String(levels),
      note: `${machinesText(machines)}, ${formatExact(machines * leaves)} leaves`,
    },
    {
      name: "rows",
      value: formatCompact(allRows),
      title: formatExact(allRows),
      note: `${formatCompact(rows)} a leaf`,
    },
    ...(memory === null
      ? []
      : [
          {
            name: "memory of a leaf",
            value: formatBytes(memory.leafBytes),
            note: memory.leafBytesMax === null ? "" : `of ${formatBytes(memory.leafBytesMax)}`,
            tone: memory.fits === false ? ("warn" as const) : undefined,
          },
          {
            name: "memory in total",
            value: formatBytes(memory.totalBytes),
            note: `${memory.bytesPerRow.toFixed(1)} bytes a row, as in ${memory.table}`,
          },
        ]),
  ];
}
