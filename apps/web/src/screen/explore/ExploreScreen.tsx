import type { Result } from "@hadal/sdk";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { createColorBook } from "../../chart/kit/paint/color.js";
import type { ExploreStore } from "../../draft/history/store.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { useColumns } from "../../panel/ask/useColumns.js";
import { type Question, useQuestion } from "../../panel/ask/useQuestion.js";
import { preloadView } from "../../panel/draw/viewComponents.js";
import { FormQueryProvider } from "../../panel/FormQueryProvider.js";
import { useFormQueryValue } from "../../panel/useFormQueryValue.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { Session } from "../../session/session.js";
import { loadLaterParts } from "../../ui/lazy/laterPart.js";
import { IntoSlot } from "../../ui/page/Slot.js";
import { AnswerSide } from "./AnswerSide.js";
import { ExploreKeys } from "./command/ExploreKeys.js";
import styles from "./ExploreScreen.module.css";
import { FormSide } from "./FormSide.js";
import { HistoryButton } from "./HistoryButton.js";
import { Pin } from "./pin/Pin.js";
import { SaveButton } from "./saved/SaveButton.js";
import { ShareButton } from "./share/ShareButton.js";
import { TablePicker } from "./TablePicker.js";
import { windowTitle } from "./windowTitle.js";

export interface ExploreScreenProps {
  readonly session: Session;
  readonly store: ExploreStore;
  readonly state: ExploreState;
  readonly themeName: string;
  readonly onVisit: (url: string) => void;
}

/** The query on the left, its answer on the right. */
export function ExploreScreen({ session, store, state, themeName, onVisit }: ExploreScreenProps) {
  const [drawer, setDrawer] = useState(false);
  const [folded, setFolded] = useState(false);
  const colors = useColors(store);
  const filterRef = useRef<HTMLButtonElement>(null);
  const dive = useCallback(() => {
    setDrawer(false);
    store.dive();
  }, [store]);
  const { asked } = useStore(store);
  const own = useStore(session).details.get(state.table)?.columns ?? null;
  const columns = useColumns(session, state, own);
  const timeZone = state.timeZone ?? ownTimeZone();
  const question = useQuestion(session, { state, asked, timeZone, columns });
  const explore = useFormQueryValue({ session, store, state, columns, question, dive });
  const { answer } = question.main;
  useLoading({ session, state, question });
  useEffect(() => {
    document.title = windowTitle(state, timeZone);
  }, [state, timeZone]);
  return (
    <FormQueryProvider value={explore}>
      <TopBar {...{ store, themeName, onVisit }} result={answer?.result ?? null} />
      <ExploreKeys
        onUndo={store.undo}
        onRedo={store.redo}
        onShowForm={() => {
          setDrawer(true);
          setFolded(false);
        }}
        onToggleForm={() => setFolded(!folded)}
      />
      <div className={styles.screen} data-folded={folded}>
        <FormSide
          open={drawer}
          onClose={() => setDrawer(false)}
          autoBucketMs={answer?.subject.built.bucketMs ?? null}
          asOfMs={answer?.result.asOf ?? null}
          settled={isSettled(question)}
          result={answer?.result ?? null}
          filterRef={filterRef}
          onDive={dive}
        />
        <AnswerSide
          store={store}
          question={question}
          colors={colors}
          themeName={themeName}
          onOpenForm={() => setDrawer(true)}
        />
      </div>
    </FormQueryProvider>
  );
}

interface TopBarProps extends Pick<ExploreScreenProps, "store" | "themeName" | "onVisit"> {
  readonly result: Result | null;
}

/** What Explore adds to the bar of the app. */
function TopBar({ store, themeName, onVisit, result }: TopBarProps) {
  return (
    <>
      <IntoSlot name="start">
        <TablePicker />
      </IntoSlot>
      <IntoSlot name="end">
        <HistoryButton onVisit={onVisit} />
        <SaveButton />
        <Pin />
        <ShareButton result={result} colors={store.colors} themeName={themeName} />
      </IntoSlot>
    </>
  );
}

/** The colors of names; the address keeps those that differ from the default. */
function useColors(store: ExploreStore) {
  return useMemo(
    // Names get colors while the answer is drawn; the address is updated after the drawing.
    () => createColorBook(store.colors(), (moved) => queueMicrotask(() => store.keepColors(moved))),
    [store],
  );
}

interface LoadingOf {
  readonly session: Session;
  readonly state: ExploreState;
  readonly question: Question;
}

/** Loads the view and the table at once, and the later parts of the page after the answer. */
function useLoading({ session, state: { view, table }, question }: LoadingOf): void {
  const shown = isSettled(question) || question.main.problem !== null;
  useEffect(() => preloadView(view), [view]);
  useEffect(() => {
    if (shown) loadLaterParts();
  }, [shown]);
  useEffect(() => {
    void session.loadTable(table);
  }, [session, table]);
}

/** The answer is final: other requests may start now. */
function isSettled({ main, lacks }: Question): boolean {
  return lacks !== null || (main.answer !== null && !main.waiting && !main.streaming);
}
