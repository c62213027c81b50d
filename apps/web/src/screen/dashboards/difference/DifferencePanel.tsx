import type { QueryTile, SavedQueryTile } from "@hadal/sdk";
import { X } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { ChartIntent } from "../../../chart/kit/answer/intent.js";
import { applyEdit, type Edit } from "../../../draft/edit/edits.js";
import { printUrl } from "../../../draft/url/url.js";
import { formatRowShare } from "../../../format/lack.js";
import { shortenName } from "../../../format/name.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { AnswerPane } from "../../../panel/answer/AnswerPane.js";
import { useColumns } from "../../../panel/ask/useColumns.js";
import { type Question, useQuestion } from "../../../panel/ask/useQuestion.js";
import { editOfIntent } from "../../../panel/editOfIntent.js";
import { type AskedQuery, PanelProvider } from "../../../panel/panel.js";
import { isIncomplete } from "../../../panel/status/completeness.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import { useBoard } from "../board/boardContext.js";
import { editBar } from "../model/barState.js";
import { tilesOf } from "../model/boardEdits.js";
import { type Difference, stateOfDifference } from "../model/difference.js";
import { useStateUnderBar } from "../tile/useStateUnderBar.js";
import styles from "./difference.module.css";

/** “What is different here?”: rows of a tile against others, beside the board. */
export function DifferencePanel() {
  const { difference, board } = useBoard();
  if (difference === null) return null;
  const tile = tilesOf(board).find(({ id }) => id === difference.tile);
  const asks = tile !== undefined && ("query" in tile || "savedQuery" in tile);
  return (
    <aside className={styles.panel} aria-label="What is different here?" data-testid="difference">
      <Head key={difference.tile} difference={difference} title={tile?.title ?? ""} />
      {asks ? (
        <TileDifference difference={difference} tile={tile} />
      ) : (
        <p className={styles.quiet}>The tile of this comparison is gone.</p>
      )}
    </aside>
  );
}

interface HeadProps {
  readonly difference: Difference;
  readonly title: string;
}

function Head({ difference, title }: HeadProps) {
  const { onDifference } = useBoard();
  const { tile, selection, against } = difference;
  const closeRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    closeRef.current?.focus();
    // The chart takes the focus back, as a menu gives it back to its button.
    return () =>
      document
        .querySelector<HTMLElement>(`[data-tile="${CSS.escape(tile)}"] [data-testid="chart"]`)
        ?.focus({ preventScroll: true });
  }, [tile]);
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>What is different here?</h2>
      {selection.filters.length === 0 && (
        <Select
          label="Compared with"
          testId="difference-against"
          value={against}
          options={[
            { value: "rest", label: "vs the rest of the time" },
            { value: "before", label: "vs the time just before" },
          ]}
          onChange={(value) =>
            onDifference({ ...difference, against: value === "before" ? "before" : "rest" })
          }
        />
      )}
      <Button
        ref={closeRef}
        look="quiet"
        aria-label="Close"
        title="Close ( Esc )"
        data-testid="close-difference"
        onClick={() => onDifference(null)}
      >
        <X size={16} />
      </Button>
      {title !== "" && (
        <small className={styles.of} title={title}>
          in {shortenName(title, 60)}
        </small>
      )}
    </header>
  );
}

interface TileDifferenceProps {
  readonly difference: Difference;
  readonly tile: QueryTile | SavedQueryTile;
}

function TileDifference({ difference, tile }: TileDifferenceProps) {
  const under = useStateUnderBar(tile);
  const state = useMemo(
    () => (under.state === null ? null : stateOfDifference(under.state, difference)),
    [under.state, difference],
  );
  if (under.problem !== null) return <p className={styles.quiet}>{under.problem.message}</p>;
  if (state === null) return <div className={styles.answer} aria-busy="true" />;
  return <Answer state={state} columns={under.columns} />;
}

interface AnswerProps {
  readonly state: ExploreState;
  readonly columns: ReturnType<typeof useStateUnderBar>["columns"];
}

function Answer({ state, columns: ofTable }: AnswerProps) {
  const { session, colors, themeName } = useBoard();
  const [asked, setAsked] = useState(0);
  const timeZone = state.timeZone ?? ownTimeZone();
  const columns = useColumns(session, state, ofTable);
  const question = useQuestion(session, { state, asked, timeZone, columns });
  const { main, probe } = question;
  const dispatch = useDispatch(state);
  const dive = useCallback(() => setAsked((count) => count + 1), []);
  const table = useStore(session).details.get(state.table) ?? null;
  const panel = useMemo<AskedQuery>(
    () => ({
      ...{ session, state, table, timeZone, dispatch, dive, probe },
      ...{ columns: columns ?? [], problem: main.problem },
    }),
    [session, state, table, timeZone, dispatch, dive, probe, columns, main.problem],
  );
  const onIntent = (intent: ChartIntent): void => {
    if (intent.kind === "again") dive();
    else if (intent.kind !== "pick") dispatch(editOfIntent(intent, state));
  };
  return (
    <PanelProvider value={panel}>
      <Completeness question={question} />
      <div className={styles.answer}>
        <AnswerPane
          question={question}
          colors={colors.passing}
          themeName={themeName}
          onIntent={onIntent}
          remedyOf={() => null}
        />
      </div>
    </PanelProvider>
  );
}

/** A find becomes a filter of the board, for every tile; other steps go on in Explore. */
function useDispatch(state: ExploreState) {
  const { bar, onBar, onVisit } = useBoard();
  return useCallback(
    (edit: Edit): void => {
      if (edit.kind === "only this") onBar(editBar(bar, edit));
      else onVisit(`/explore?${printUrl(applyEdit(state, edit))}`);
    },
    [state, bar, onBar, onVisit],
  );
}

function Completeness({ question: { main } }: { readonly question: Question }) {
  const { answer, asking, streaming } = main;
  const completeness = answer?.result.completeness;
  const words =
    completeness === undefined
      ? "asking…"
      : `${formatRowShare(completeness)} · ${completeness.leaves.answered}/${completeness.leaves.total} leaves`;
  return (
    <p
      className={styles.status}
      data-testid="difference-status"
      data-busy={asking || streaming}
      data-incomplete={completeness !== undefined && isIncomplete(completeness)}
    >
      {words} · finds filter the dashboard
    </p>
  );
}
