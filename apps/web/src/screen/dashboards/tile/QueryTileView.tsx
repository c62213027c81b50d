import type {
  ColumnInfo,
  DashboardIgnore,
  DashboardVariable,
  QueryTile,
  SavedQueryTile,
} from "@hadal/sdk";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { ChartIntent, Mark } from "../../../chart/kit/answer/intent.js";
import { OpenMark } from "../../../chart/kit/pointer/openMark.js";
import { applyEdit, type Edit } from "../../../draft/edit/edits.js";
import { printUrl } from "../../../draft/url/url.js";
import { formatRowShare } from "../../../format/lack.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { AnswerPane } from "../../../panel/answer/AnswerPane.js";
import { useColumns } from "../../../panel/ask/useColumns.js";
import { useQuestion } from "../../../panel/ask/useQuestion.js";
import { editOfIntent } from "../../../panel/editOfIntent.js";
import { ValueMenu } from "../../../panel/menu/ValueMenu.js";
import { type AskedQuery, PanelProvider } from "../../../panel/panel.js";
import { isIncomplete } from "../../../panel/status/completeness.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { useBoard } from "../board/boardContext.js";
import { editBar } from "../model/barState.js";
import { report } from "../model/reports.js";
import { tileUnderBar } from "../model/tileUnderBar.js";
import { faultWords } from "../model/variableFaults.js";
import styles from "./tile.module.css";
import { UnreadQuery, UnreadTable } from "./Unread.js";
import { useTileState } from "./useTileState.js";
import { VariableFaultsPanel } from "./VariableFaultsPanel.js";

export interface QueryTileViewProps {
  readonly tile: QueryTile | SavedQueryTile;
  readonly title: string;
  /** Only a tile on the screen asks. */
  readonly isVisible: boolean;
  /** Reports the state that is shown, for the tile's menu. */
  readonly onState: (state: ExploreState) => void;
}

/** A tile with a query: the same panel as Explore's, under the board's bar. */
export function QueryTileView(props: QueryTileViewProps) {
  const { session, tables, unread, onTable } = useBoard();
  const { tile, title } = props;
  const { state, problem } = useTileState(session, tile);
  const name = state?.table ?? null;
  useEffect(() => {
    if (name !== null) onTable(name);
  }, [name, onTable]);
  if (problem !== null) return <UnreadQuery {...{ tile, title, problem }} />;
  if (state === null) return <div className={styles.waiting} aria-busy="true" />;
  const columns = tables.get(state.table) ?? null;
  if (columns !== null) return <TilePanel {...props} own={state} columns={columns} />;
  // The bar's filters apply as far as the table has their columns, which must be known first.
  const why = unread.get(state.table);
  return why === undefined ? (
    <div className={styles.waiting} aria-busy="true" />
  ) : (
    <UnreadTable {...{ tile, title }} table={state.table} problem={why} />
  );
}

interface TilePanelProps extends QueryTileViewProps {
  readonly own: ExploreState;
  readonly columns: readonly ColumnInfo[];
}

function TilePanel({ tile, title, isVisible, onState, own, columns: ofTable }: TilePanelProps) {
  const board = useBoard();
  const { session, colors, themeName, asker } = board;
  const drawn = useDrawn(own);
  const { state, lacking, faults } = useUnderBar(drawn.state, tile, ofTable);
  const fault = faultWords(faults);
  const [asked, setAsked] = useState(0);
  const timeZone = state.timeZone ?? ownTimeZone();
  const columns = useColumns(session, state, ofTable);
  const shown = {
    state,
    asked,
    timeZone,
    columns,
    asker,
    wanted: isVisible && fault === null,
  };
  const question = useQuestion(session, shown);
  const { main, probe, lacks } = question;
  const { answer } = main;
  const isRefused = lacks !== null || fault !== null;
  useEffect(() => onState(state), [state, onState]);
  useTileReport({ id: tile.id, title, main, isRefused });
  const dispatch = useTileDispatch(tile.id, state, drawn.change);
  const dive = useCallback(() => setAsked((count) => count + 1), []);
  const table = useStore(session).details.get(state.table) ?? null;
  const panel = useMemo<AskedQuery>(
    () => ({
      ...{ session, state, table, timeZone, dispatch, dive, probe },
      ...{ columns: columns ?? [], problem: main.problem, zooms: "the dashboard" },
    }),
    [session, state, table, timeZone, dispatch, dive, probe, columns, main.problem],
  );
  const [mark, setMark] = useState<Mark | null>(null);
  const compared = useComparedMark(tile.id);
  const onIntent = (intent: ChartIntent): void => {
    if (intent.kind === "pick") setMark(intent.mark);
    else if (intent.kind === "again") dive();
    else dispatch(editOfIntent(intent, state));
  };
  if (fault !== null) return <VariableFaultsPanel words={fault} />;
  return (
    <PanelProvider value={panel}>
      <TileNotes lacking={lacking} ignores={tile.ignores ?? []} question={question} />
      <OpenMark.Provider value={mark ?? compared}>
        <AnswerPane
          question={question}
          colors={answer?.result.final === true ? colors : colors.passing}
          themeName={themeName}
          onIntent={onIntent}
          remedyOf={() => null}
        />
      </OpenMark.Provider>
      <ValueMenu mark={mark} onClose={() => setMark(null)} />
    </PanelProvider>
  );
}

/** What the tile asks under the board's bar. */
function useUnderBar(own: ExploreState, tile: TilePanelProps["tile"], columns: TileColumns) {
  const { bar, board } = useBoard();
  const { ignores = noIgnores } = tile;
  const { variables = noVariables } = board;
  return useMemo(
    () => tileUnderBar(own, { bar, ignores, columns, variables }),
    [own, bar, ignores, columns, variables],
  );
}

type TileColumns = TilePanelProps["columns"];
const noIgnores: readonly DashboardIgnore[] = [];
const noVariables: readonly DashboardVariable[] = [];

interface ReportOf {
  readonly id: string;
  readonly title: string;
  readonly main: ReturnType<typeof useQuestion>["main"];
  /** It has nothing to ask. */
  readonly isRefused: boolean;
}

/** What the board's status line and “what moved” know of the tile, while it is there. */
function useTileReport({ id, title, main, isRefused }: ReportOf): void {
  const { reports } = useBoard();
  const { answer, problem } = main;
  const isBusy = main.asking || main.streaming;
  useEffect(() => {
    const numbers = answer?.subject.built.numbers ?? [];
    const result = answer?.result ?? null;
    report(reports, id, { title, result, numbers, problem, isBusy, isRefused });
  }, [reports, id, title, answer, problem, isBusy, isRefused]);
  useEffect(() => () => report(reports, id, null), [reports, id]);
}

/** Choices of how the tile is drawn, until the page is left. */
function useDrawn(own: ExploreState) {
  const [changed, setChanged] = useState<{
    readonly of: ExploreState;
    readonly state: ExploreState;
  }>({
    of: own,
    state: own,
  });
  const change = useCallback(
    (edit: Edit) =>
      setChanged((known) => ({
        of: own,
        state: applyEdit(known.of === own ? known.state : own, edit),
      })),
    [own],
  );
  return { state: changed.of === own ? changed.state : own, change };
}

/** The times that the side panel compares stay painted. */
function useComparedMark(id: string): Mark | null {
  const { difference } = useBoard();
  return useMemo(() => {
    const range = difference?.tile === id ? difference.selection.range : null;
    return range === null ? null : { group: [], text: "", x: 0, y: 0, range };
  }, [difference, id]);
}

/**
 * Times belong to the board, the drawing to the tile, and what is different opens beside the board;
 * every other step goes on in Explore.
 */
function useTileDispatch(id: string, state: ExploreState, change: (edit: Edit) => void) {
  const { bar, onBar, onDifference, onVisit } = useBoard();
  return useCallback(
    (edit: Edit): void => {
      switch (edit.kind) {
        case "zoom":
        case "set time":
          onBar(editBar(bar, edit));
          return;
        case "set option":
        case "set order":
          change(edit);
          return;
        case "what is different":
          onDifference({ tile: id, selection: edit.selection, against: "rest" });
          return;
        default:
          onVisit(`/explore?${printUrl(applyEdit(state, edit))}`);
      }
    },
    [id, state, change, bar, onBar, onDifference, onVisit],
  );
}

interface TileNotesProps {
  readonly lacking: readonly string[];
  readonly ignores: readonly string[];
  readonly question: ReturnType<typeof useQuestion>;
}

const partNames: Readonly<Record<string, string>> = {
  ...{ time: "time", compare: "comparison", timeZone: "zone", live: "live" },
  ...{ filter: "filters", variables: "variables" },
};

/** What of the bar does not apply here, and how much of the rows the answer stands on. */
function TileNotes({ lacking, ignores, question: { main } }: TileNotesProps) {
  const completeness = main.answer?.result.completeness;
  const isPart = completeness !== undefined && isIncomplete(completeness);
  const notes = [
    ...(lacking.length === 0 ? [] : [`no column ${lacking.join(", ")}: not filtered by it`]),
    ...(ignores.length === 0
      ? []
      : [`own ${ignores.map((part) => partNames[part] ?? part).join(", ")}`]),
  ];
  if (notes.length === 0 && !isPart) return null;
  return (
    <p className={styles.notes}>
      {isPart && (
        <span className={styles.part} data-testid="tile-incomplete">
          {formatRowShare(completeness)}
        </span>
      )}
      {notes.map((note) => (
        <span key={note} data-testid="tile-note" title={note}>
          {note}
        </span>
      ))}
    </p>
  );
}
