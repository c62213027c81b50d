import type { Result } from "@hadal/sdk";
import { Suspense, useCallback, useMemo } from "react";
import type { ChartIntent, OnIntent } from "../../chart/kit/answer/intent.js";
import type { ColorBook } from "../../chart/kit/paint/color.js";
import { ShownAnnotations } from "../../chart/kit/time/annotation/shownAnnotations.js";
import { orderOf } from "../../draft/ask/order.js";
import { optionsToDraw } from "../../draft/ask/viewOptions.js";
import { lazyPart } from "../../ui/lazy/lazyPart.js";
import { ErrorBoundary } from "../../ui/page/ErrorBoundary.js";
import { useAnnotations } from "../annotation/useAnnotations.js";
import type { Subject } from "../ask/useQuestion.js";
import { usePanel } from "../panel.js";
import { answeredMark } from "./answeredMark.js";
import { chartInputOf } from "./chartInput.js";
import styles from "./ResultPane.module.css";
import { viewComponent } from "./viewComponents.js";

const DataTable = lazyPart(
  async () => (await import("../../chart/kit/rows/DataTable.js")).DataTable,
);

export interface ResultPaneProps {
  readonly result: Result;
  readonly subject: Subject;
  /** Extra results that belong to this result. */
  readonly extras: Readonly<Record<string, Result>>;
  readonly colors: ColorBook;
  readonly themeName: string;
  readonly onIntent: OnIntent;
}

/** A result in its view. */
export function ResultPane(props: ResultPaneProps) {
  return (
    <ErrorBoundary title="This view could not be drawn" resetKey={props.subject}>
      <DrawnResult {...props} />
    </ErrorBoundary>
  );
}

function DrawnResult({ result, subject, onIntent, ...rest }: ResultPaneProps) {
  const { state, built } = subject;
  const input = useMemo(() => chartInputOf(result, subject), [result, subject]);
  const rank = useMemo(() => {
    const { by, desc } = orderOf(state);
    return { by, desc: desc ?? false };
  }, [state]);
  const onViewIntent = useCallback(
    (intent: ChartIntent) =>
      onIntent(
        intent.kind === "pick"
          ? { ...intent, mark: answeredMark(intent.mark, built.query) }
          : intent,
      ),
    [onIntent, built],
  );
  const { state: now, columns, session } = usePanel();
  const options = useMemo(
    () => (now.view === state.view ? optionsToDraw(built.options, now, columns) : built.options),
    [built, state.view, now, columns],
  );
  const annotations = useAnnotations(session.client, state.table, input);
  const { show } = state.options;
  const View = show === "data" ? DataTable : viewComponent(state.view);
  return (
    <Suspense fallback={<div className={styles.first} aria-busy="true" />}>
      <ShownAnnotations.Provider value={annotations}>
        <View
          input={input}
          query={built.query}
          extraQueries={built.extras}
          options={options}
          rank={rank}
          questionKey={`${subject.key} ${state.view}`}
          part={state.part}
          whatChanged={session.client.whatChanged}
          onIntent={onViewIntent}
          {...rest}
        />
      </ShownAnnotations.Provider>
    </Suspense>
  );
}
