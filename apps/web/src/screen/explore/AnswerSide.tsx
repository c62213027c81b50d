import { SlidersHorizontal } from "lucide-react";
import { useCallback, useState } from "react";
import { useStore } from "zustand";
import type { ChartIntent, Mark } from "../../chart/kit/answer/intent.js";
import type { RememberingBook } from "../../chart/kit/paint/color.js";
import { OpenMark } from "../../chart/kit/pointer/openMark.js";
import type { ExploreStore } from "../../draft/history/store.js";
import { AnswerPane } from "../../panel/answer/AnswerPane.js";
import type { Question } from "../../panel/ask/useQuestion.js";
import { editOfIntent } from "../../panel/editOfIntent.js";
import { useFormQuery } from "../../panel/formQuery.js";
import { ValueMenu } from "../../panel/menu/ValueMenu.js";
import { StatusLine } from "../../panel/status/StatusLine.js";
import { Button } from "../../ui/button/Button.js";
import styles from "./ExploreScreen.module.css";
import { Guide } from "./guide/Guide.js";
import { QuerySummary } from "./QuerySummary.js";
import { Breadcrumb } from "./result/Breadcrumb.js";
import { remedyOf } from "./result/remedy.js";
import { Saved } from "./saved/Saved.js";

export interface AnswerSideProps {
  readonly store: ExploreStore;
  readonly question: Question;
  readonly colors: RememberingBook;
  readonly themeName: string;
  readonly onOpenForm: () => void;
}

/** The right side: guide, summary, steps, status line and the answer. */
export function AnswerSide({ store, question, colors, themeName, onOpenForm }: AnswerSideProps) {
  const { canUndo, canRedo, faults } = useStore(store);
  const explore = useFormQuery();
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
          <QuerySummary onOpen={onOpenForm} />
          <Breadcrumb canUndo={canUndo} canRedo={canRedo} onUndo={store.undo} onRedo={store.redo} />
        </div>
      </div>
      <Saved store={store} />
      <StatusLine result={answer?.result ?? null} busy={asking || streaming} />
      {faults.length > 0 && (
        <p className={styles.faults} role="status" data-testid="url-faults">
          Parts of the address cannot be read and are ignored: {faults.join("; ")}
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
