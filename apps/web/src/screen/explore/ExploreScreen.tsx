import { SlidersHorizontal } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { ChartIntent, Mark } from "../../chart/kit/answer/intent.js";
import { createColorBook, type RememberingBook } from "../../chart/kit/paint/color.js";
import { OpenMark } from "../../chart/kit/pointer/openMark.js";
import type { ExploreStore } from "../../draft/history/store.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { AnswerPane } from "../../panel/answer/AnswerPane.js";
import { useColumns } from "../../panel/ask/useColumns.js";
import { type Question, useQuestion } from "../../panel/ask/useQuestion.js";
import { preloadView } from "../../panel/draw/viewComponents.js";
import { editOfIntent } from "../../panel/editOfIntent.js";
import { ValueMenu } from "../../panel/menu/ValueMenu.js";
import { StatusLine } from "../../panel/status/StatusLine.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { Session } from "../../session/session.js";
import { Button } from "../../ui/button/Button.js";
import { loadLaterParts } from "../../ui/lazy/laterPart.js";
import { IntoSlot } from "../../ui/page/Slot.js";
import { ExploreKeys } from "./ExploreKeys.js";
import { ExploreProvider } from "./ExploreProvider.js";
import styles from "./ExploreScreen.module.css";
import { useExplore } from "./explore.js";
import { FormSide } from "./FormSide.js";
import { Guide } from "./guide/Guide.js";
import { HistoryButton } from "./HistoryButton.js";
import { QuestionSummary } from "./QuestionSummary.js";
import { Breadcrumb } from "./result/Breadcrumb.js";
import { remedyOf } from "./result/remedy.js";
import { ShareButton } from "./ShareButton.js";
import { TablePicker } from "./TablePicker.js";
import { useExploreValue } from "./useExploreValue.js";
import { titleOf } from "./words.js";

export interface ExploreScreenProps {
  readonly session: Session;
  readonly store: ExploreStore;
  readonly state: ExploreState;
  readonly themeName: string;
  readonly onVisit: (url: string) => void;
}

/** The question on the left, its answer on the right. */
export function ExploreScreen(props: ExploreScreenProps) {
  const { session, store, state } = props;
  const { asked } = useStore(store);
  const [drawer, setDrawer] = useState(false);
  const [folded, setFolded] = useState(false);
  const colors = useMemo(
    // Names are met while the answer is drawn; the address follows when it is.
    () => createColorBook(store.colors(), (moved) => queueMicrotask(() => store.keepColors(moved))),
    [store],
  );
  const filterRef = useRef<HTMLButtonElement>(null);
  const dive = useCallback(() => {
    setDrawer(false);
    store.dive();
  }, [store]);
  const own = useStore(session).details.get(state.table)?.columns ?? null;
  const columns = useColumns(session, state, own);
  const timeZone = state.timeZone ?? ownTimeZone();
  const question = useQuestion(session, { state, asked, timeZone, columns });
  const explore = useExploreValue({ session, store, state, columns, question, dive });

  useEffect(() => preloadView(state.view), [state.view]);
  const shown = isSettled(question) || question.main.problem !== null;
  useEffect(() => {
    if (shown) loadLaterParts();
  }, [shown]);
  useEffect(() => {
    void session.loadTable(state.table);
  }, [session, state.table]);
  useEffect(() => {
    document.title = titleOf(state, explore.timeZone);
  }, [state, explore.timeZone]);
  return (
    <ExploreProvider value={explore}>
      <IntoSlot name="start">
        <TablePicker />
      </IntoSlot>
      <IntoSlot name="end">
        <HistoryButton onVisit={props.onVisit} />
        <ShareButton result={question.main.answer?.result ?? null} colors={store.colors} />
      </IntoSlot>
      <ExploreKeys
        onUndo={store.undo}
        onRedo={store.redo}
        onForm={(open) => {
          setDrawer(open);
          if (open) setFolded(false);
        }}
        onFold={() => setFolded(!folded)}
      />
      <div className={styles.screen} data-folded={folded}>
        <FormSide
          open={drawer}
          onClose={() => setDrawer(false)}
          autoBucketMs={question.main.answer?.subject.built.bucketMs ?? null}
          askedAtMs={question.main.answer?.result.asOf ?? null}
          settled={isSettled(question)}
          result={question.main.answer?.result ?? null}
          filterRef={filterRef}
          onDive={dive}
        />
        <AnswerSide
          store={store}
          question={question}
          colors={colors}
          themeName={props.themeName}
          onOpenForm={() => setDrawer(true)}
        />
      </div>
    </ExploreProvider>
  );
}

/** The answer is whole: what else wants to be asked may be asked now. */
function isSettled({ main, lacks }: Question): boolean {
  return lacks !== null || (main.answer !== null && !main.waiting && !main.streaming);
}

interface AnswerSideProps {
  readonly store: ExploreStore;
  readonly question: Question;
  readonly colors: RememberingBook;
  readonly themeName: string;
  readonly onOpenForm: () => void;
}

function AnswerSide({ store, question, colors, themeName, onOpenForm }: AnswerSideProps) {
  const { canUndo, canRedo, faults } = useStore(store);
  const explore = useExplore();
  const { dive, state } = explore;
  const [mark, setMark] = useState<Mark | null>(null);
  const { answer, asking, streaming } = question.main;
  const onIntent = useCallback(
    (intent: ChartIntent) => {
      if (intent.kind === "pick") setMark(intent.mark);
      else if (intent.kind === "again") dive();
      else store.dispatch(editOfIntent(intent, state));
    },
    [store, dive, state],
  );
  return (
    <main className={styles.main}>
      <Guide />
      <div className={styles.top}>
        <Button
          className={styles.openDrawer ?? ""}
          data-print="no"
          look="quiet"
          aria-label="Open the form"
          data-testid="open-form"
          onClick={onOpenForm}
        >
          <SlidersHorizontal size={16} />
        </Button>
        <div className={styles.grow}>
          <QuestionSummary onOpen={onOpenForm} />
          <Breadcrumb canUndo={canUndo} canRedo={canRedo} onUndo={store.undo} onRedo={store.redo} />
        </div>
      </div>
      <StatusLine result={answer?.result ?? null} busy={asking || streaming} />
      {faults.length > 0 && (
        <p className={styles.faults} role="status" data-testid="url-faults">
          The address holds what this page cannot read, and goes without it: {faults.join("; ")}
        </p>
      )}
      <OpenMark.Provider value={mark}>
        <AnswerPane
          question={question}
          colors={answer?.result.final === true ? colors : colors.passing}
          themeName={themeName}
          onIntent={onIntent}
          remedyOf={(problem) => remedyOf(problem, explore)}
        />
      </OpenMark.Provider>
      <ValueMenu mark={mark} onClose={() => setMark(null)} />
    </main>
  );
}
