import { type ColumnInfo, HadalError } from "@hadal/sdk";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { ChartIntent, Mark } from "../../chart/kit/answer/intent.js";
import { createColorBook } from "../../chart/kit/paint/color.js";
import { AllowedIntents } from "../../chart/kit/pointer/allowedIntents.js";
import { OpenMark } from "../../chart/kit/pointer/openMark.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import type { PanelSession } from "../../panel/ask/panelSession.js";
import { useColumns } from "../../panel/ask/useColumns.js";
import { type Question, useQuestion } from "../../panel/ask/useQuestion.js";
import { type AskedQuery, type PanelLimits, PanelProvider } from "../../panel/panel.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import { useLaterPart } from "../../ui/lazy/laterPart.js";
import type { ChartStore } from "../state/chartStore.js";
import styles from "../style/embed.module.css";
import { Answer } from "./Answer.js";
import { Foot } from "./Foot.js";
import { Notice } from "./Notice.js";
import { type ReaderPart, readerPart } from "./readerPart.js";
import { refusalOf } from "./refusal.js";
import type { ChartReports } from "./reports.js";
import { useIntents } from "./useIntents.js";
import { whenDrawn } from "./whenDrawn.js";

export interface ShownChartProps {
  readonly store: ChartStore;
  readonly client: PanelSession["client"];
  readonly reports: ChartReports;
  readonly state: ExploreState;
}

const noColumns: readonly ColumnInfo[] = [];

/** The query asked and drawn, with what the token allows to do about it. */
export function ShownChart(props: ShownChartProps) {
  const { store, reports } = props;
  const { self, isDark, trail } = useStore(store);
  const { panel, question, reader } = usePanelOf(props);
  const { main } = question;
  const result = main.answer?.result ?? null;
  const limits = useLimits(props, reader);
  const [mark, setMark] = useState<Mark | null>(null);
  const colors = useMemo(() => createColorBook(), []);
  const onIntent = useIntents({ store, reports, onMark: setMark });
  const allows = useAllows(props, reader, limits);
  const refused = main.problem === null ? null : refusalOf(main.problem);
  const provided = useMemo(() => ({ ...panel, limits }), [panel, limits]);
  return (
    <PanelProvider value={provided}>
      <div className={styles.body}>
        {refused !== null && <Notice {...refused} tone="bad" testId="embed-refused" />}
        {refused === null && (
          <OpenMark.Provider value={mark}>
            <AllowedIntents.Provider value={allows}>
              <Answer
                question={question}
                colors={result?.final === true ? colors : colors.passing}
                themeName={isDark ? "dark" : "light"}
                onIntent={onIntent}
              />
            </AllowedIntents.Provider>
          </OpenMark.Provider>
        )}
      </div>
      {reader !== null && result !== null && refused === null && (
        <reader.ValuesTable result={result} title={self?.title || props.state.table} />
      )}
      <Foot
        result={refused === null ? result : null}
        isBusy={main.asking || main.streaming}
        isFailed={main.problem !== null}
      >
        {reader !== null && refused === null && (
          <reader.Tools onBack={trail.length > 0 ? store.back : null} />
        )}
      </Foot>
      {reader !== null && <reader.ValueMenu mark={mark} onClose={() => setMark(null)} />}
    </PanelProvider>
  );
}

/** Asks, and reports what comes of it. */
function usePanelOf(props: ShownChartProps) {
  const { store, client, state } = props;
  const { asked, isWanted, self } = useStore(store);
  const session = useMemo(() => ({ client }), [client]);
  const timeZone = state.timeZone ?? ownTimeZone();
  const known = useColumns(session, state, self?.columns ?? null);
  const columns = known ?? noColumns;
  const question = useQuestion(session, {
    ...{ state, asked, timeZone, columns: known },
    // What the token allows decides how it is asked.
    wanted: isWanted && self !== null,
    rangeMsMax: self?.rangeMsMax ?? 0,
  });
  useReports(props, question);
  const { probe } = question;
  const { problem, answer } = question.main;
  const reader = useLaterPart(readerPart, { wanted: answer !== null });
  const panel = useMemo<AskedQuery>(
    () => ({
      ...{ session, state, table: null, columns, timeZone, probe, problem },
      dispatch: (edit) => {
        // Whoever offers an edit has been loaded with what carries it out.
        if (reader !== null) store.step((now) => reader.applyEdit(now, edit));
      },
      dive: store.askAgain,
    }),
    [session, state, columns, timeZone, probe, problem, store, reader],
  );
  return { panel, question, reader };
}

const noLimits: PanelLimits = { allows: () => false, groupColumns: [], linkOf: () => null };

/** Nothing, until it is known what the token allows. */
function useLimits({ store, state }: ShownChartProps, reader: ReaderPart | null): PanelLimits {
  const { self, inputs } = useStore(store);
  return useMemo(
    () => (reader === null || self === null ? noLimits : reader.limitsOf(self, state, inputs.src)),
    [reader, self, state, inputs.src],
  );
}

/** What the reader may ask for beside a menu. */
function useAllows(
  { state }: ShownChartProps,
  reader: ReaderPart | null,
  limits: PanelLimits,
): (intent: ChartIntent) => boolean {
  return useCallback(
    (intent) => {
      if (intent.kind === "pick" || intent.kind === "again") return true;
      return reader !== null && limits.allows(reader.editOfIntent(intent, state));
    },
    [reader, limits, state],
  );
}

/** Sends events of answers and problems to the page. */
function useReports({ reports, state }: ShownChartProps, { main, lacks }: Question): void {
  const { answer, problem, asking, streaming, waiting } = main;
  const { view } = state;
  useEffect(() => {
    if (answer === null || waiting) return;
    reports.draws({ state: answer.subject.state, asOf: answer.result.asOf });
    let isCurrent = true;
    whenDrawn(view).then(
      () => {
        if (isCurrent) reports.shown(answer.result, view);
      },
      // The place of the view says so, too.
      (cause: Error) => reports.failed(new HadalError("internal", { detail: cause.message })),
    );
    return () => {
      isCurrent = false;
    };
  }, [reports, answer, waiting, view]);
  useEffect(() => {
    if (problem !== null) reports.failed(problem);
  }, [reports, problem]);
  const isSettled = !asking && !streaming && !waiting;
  useEffect(() => {
    const isOver = lacks !== null || (isSettled && problem !== null);
    reports.settled(isOver);
    if (isOver || !isSettled || answer === null) return;
    let isCurrent = true;
    const settle = (): void => {
      if (isCurrent) reports.settled(true);
    };
    // After the report of the answer itself.
    whenDrawn(view).then(settle, settle);
    return () => {
      isCurrent = false;
    };
  }, [reports, isSettled, lacks, answer, problem, view]);
}
