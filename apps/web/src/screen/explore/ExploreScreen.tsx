import { type HadalError, timeColumn } from "@hadal/sdk";
import { SlidersHorizontal, X } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { ChartIntent, Mark } from "../../chart/intent.js";
import { placeOfPath } from "../../query/buildQuery.js";
import type { ExploreState } from "../../query/exploreState.js";
import type { ExploreStore } from "../../query/store.js";
import type { Session } from "../../session/session.js";
import { Button } from "../../ui/Button.js";
import styles from "./ExploreScreen.module.css";
import { type Explore, ExploreProvider, ownTimeZone } from "./explore.js";
import { FormPanel } from "./form/FormPanel.js";
import { KeysSheet } from "./KeysSheet.js";
import { useKeys } from "./keys.js";
import { rememberedColors } from "./rememberedColors.js";
import { AnswerPane } from "./result/AnswerPane.js";
import { Breadcrumb } from "./result/Breadcrumb.js";
import { preloadCharts } from "./result/ResultPane.js";
import { StatusLine } from "./result/StatusLine.js";
import { ValueMenu } from "./result/ValueMenu.js";
import { useFormWidth } from "./useFormWidth.js";
import { useQuestion } from "./useQuestion.js";
import { titleOf } from "./words.js";

export interface ExploreScreenProps {
  readonly session: Session;
  readonly store: ExploreStore;
  readonly state: ExploreState;
  readonly themeName: string;
  readonly keysOpen: boolean;
  readonly onKeysOpen: (open: boolean) => void;
}

/** The question on the left, its answer on the right. */
export function ExploreScreen(props: ExploreScreenProps) {
  const { session, store, state, themeName } = props;
  const { asked, canUndo, canRedo, faults } = useStore(store);
  const timeZone = state.timeZone ?? ownTimeZone();
  const table = useStore(session).details.get(state.table) ?? null;
  const question = useQuestion(session, state, asked, timeZone);
  const colors = useMemo(rememberedColors, []);
  const [mark, setMark] = useState<Mark | null>(null);
  const [drawer, setDrawer] = useState(false);
  const filterRef = useRef<HTMLButtonElement>(null);
  const formWidth = useFormWidth();
  const { problem } = question.main;

  useEffect(preloadCharts, []);
  useEffect(() => {
    void session.loadTable(state.table);
  }, [session, state.table]);
  useEffect(() => {
    document.title = titleOf(state, timeZone);
  }, [state, timeZone]);

  const dive = useCallback(() => {
    setDrawer(false);
    store.dive();
  }, [store]);
  const explore = useMemo<Explore>(
    () => ({
      session,
      state,
      table,
      timeZone,
      dispatch: store.dispatch,
      dive,
      faultAt: (place) => faultAt(problem, state, place),
    }),
    [session, state, table, timeZone, store, dive, problem],
  );
  const onIntent = useCallback(
    (intent: ChartIntent) => {
      if (intent.kind === "pick") setMark(intent.mark);
      else if (intent.kind === "zoom") store.dispatch(intent);
      else store.dispatch({ kind: "set order", order: { by: intent.by, desc: intent.desc } });
    },
    [store],
  );
  useKeys({
    dive,
    addFilter: () => {
      setDrawer(true);
      filterRef.current?.click();
    },
    view: (view) => store.dispatch({ kind: "set view", view }),
    live: () => store.dispatch({ kind: "set live", live: !state.live }),
    sheet: () => props.onKeysOpen(true),
  });
  const { answer, waiting, streaming } = question.main;

  return (
    <ExploreProvider value={explore}>
      <div className={styles.screen}>
        <aside
          className={styles.form}
          data-open={drawer}
          style={{ "--form-width": `${formWidth.width}px` } as React.CSSProperties}
          aria-label="Question"
        >
          <Button
            look="quiet"
            className={styles.closeDrawer ?? ""}
            aria-label="Close the form"
            onClick={() => setDrawer(false)}
          >
            <X size={16} />
          </Button>
          <FormPanel
            autoBucketMs={answer?.subject.built.bucketMs ?? null}
            filterRef={filterRef}
            onDive={dive}
          />
        </aside>
        {/* biome-ignore lint/a11y/useSemanticElements: a line that can be dragged, not a break in a text */}
        <div
          role="separator"
          aria-label="Width of the form"
          aria-orientation="vertical"
          aria-valuenow={formWidth.width}
          aria-valuemin={formWidth.min}
          aria-valuemax={formWidth.max}
          tabIndex={0}
          className={styles.separator}
          {...formWidth.separator}
        />
        {drawer && (
          <button
            type="button"
            className={styles.veil}
            aria-label="Close the form"
            onClick={() => setDrawer(false)}
          />
        )}
        <main className={styles.main}>
          <div className={styles.top}>
            <Button
              className={styles.openDrawer ?? ""}
              look="quiet"
              aria-label="Open the form"
              data-testid="open-form"
              onClick={() => setDrawer(true)}
            >
              <SlidersHorizontal size={16} />
            </Button>
            <div className={styles.grow}>
              <Breadcrumb
                canUndo={canUndo}
                canRedo={canRedo}
                onUndo={store.undo}
                onRedo={store.redo}
              />
            </div>
          </div>
          <StatusLine result={answer?.result ?? null} busy={waiting || streaming} />
          {faults.length > 0 && (
            <p className={styles.faults} role="status" data-testid="url-faults">
              The address holds what this page cannot read, and goes without it: {faults.join("; ")}
            </p>
          )}
          <AnswerPane
            question={question}
            colors={colors}
            themeName={themeName}
            onIntent={onIntent}
          />
        </main>
        <ValueMenu mark={mark} onClose={() => setMark(null)} />
        <KeysSheet open={props.keysOpen} onOpenChange={props.onKeysOpen} />
      </div>
    </ExploreProvider>
  );
}

/** The first thing that is wrong at this place of the form. */
function faultAt(problem: HadalError | null, state: ExploreState, place: string): string | null {
  if (problem === null) return null;
  const found = problem.errors.find(
    (part) => part.path !== undefined && placeOfPath(part.path, state) === place,
  );
  if (found !== undefined) return found.detail;
  // Times that this page could not read itself come without a path.
  const isTime =
    place === "from" && problem.errors.length === 0 && problem.code.startsWith(timeColumn);
  return isTime ? problem.message : null;
}
