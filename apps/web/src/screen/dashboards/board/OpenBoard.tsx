import type { Dashboard, DashboardTile } from "@hadal/sdk";
import { isNewerDashboard } from "@hadal/sdk/checks";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { createColorBook } from "../../../chart/kit/paint/color.js";
import {
  createSharedMoments,
  SharedMomentsContext,
} from "../../../chart/kit/time/point/sharedMoments.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { createBatchAsker } from "../../../live/batchAsker.js";
import { useWhyNot } from "../../../session/useWhyNot.js";
import { Panel } from "../../../ui/page/Panel.js";
import { BoardBar } from "../bar/BoardBar.js";
import { DifferencePanel } from "../difference/DifferencePanel.js";
import { type BarState, barOfBoard, lastWeek } from "../model/barState.js";
import { parseBar, printBar } from "../model/barUrl.js";
import { sectionsOf, tilesOf } from "../model/boardEdits.js";
import type { BoardStore } from "../model/boardStore.js";
import { type Difference, parseDifference, printDifference } from "../model/difference.js";
import { rankMoved } from "../model/moved.js";
import { createReports } from "../model/reports.js";
import { EditTile } from "../tile/EditTile.js";
import { BoardCommands } from "./BoardCommands.js";
import { BoardHead } from "./BoardHead.js";
import { BoardStatus } from "./BoardStatus.js";
import styles from "./board.module.css";
import { BoardContext, type OpenedBoard } from "./boardContext.js";
import type { BoardScreenProps } from "./boardScreenProps.js";
import { Problems } from "./Problems.js";
import { Sections } from "./Sections.js";
import { useKiosk } from "./useKiosk.js";
import { usePrint } from "./usePrint.js";
import { useScrollPlace } from "./useScrollPlace.js";
import { useTables } from "./useTables.js";

export interface OpenBoardProps extends BoardScreenProps {
  readonly store: BoardStore;
}

/** A board: what applies to all tiles, one status line, and the tiles. */
export function OpenBoard(props: OpenBoardProps) {
  const { store, id } = props;
  const { board, title } = useStore(store);
  const [isMoved, setMoved] = useState(false);
  const { opened, faults, notice, kiosk, editing, onDone } = useOpened({ ...props, isMoved });
  const scrollRef = useRef<HTMLDivElement>(null);
  useScrollPlace(scrollRef, id);
  const moments = useMemo(() => createSharedMoments(), []);
  useEffect(() => {
    document.title = `${title} · Hadal`;
  }, [title]);
  const showMoved = (next: boolean): void => {
    // What moved is a question about two times.
    if (next && opened.bar.compare === null) opened.onBar({ ...opened.bar, compare: lastWeek });
    setMoved(next);
  };
  const isEmpty = tilesOf(board).length === 0;
  return (
    <BoardContext.Provider value={opened}>
      <BoardCommands isMoved={isMoved} onMoved={showMoved} kiosk={kiosk} />
      <main className={styles.board} data-testid="board" data-kiosk={kiosk.isOn}>
        <div className={styles.top}>
          {!kiosk.isOn && <BoardHead onKiosk={kiosk.start} />}
          {!kiosk.isOn && <BoardBar isMoved={isMoved} onMoved={showMoved} />}
          <Problems faults={faults} notice={notice} />
          <BoardStatus />
        </div>
        <div className={styles.middle}>
          <div ref={scrollRef} className={styles.scroll} data-testid="board-scroll">
            <SharedMomentsContext.Provider value={moments}>
              <Sections only={kiosk.section} />
            </SharedMomentsContext.Provider>
            {isEmpty && <EmptyBoard />}
          </div>
          {!kiosk.isOn && <DifferencePanel />}
        </div>
        {editing !== null && <EditTile key={editing.id} tile={editing} onDone={onDone} />}
      </main>
    </BoardContext.Provider>
  );
}

function EmptyBoard() {
  return (
    <Panel tone="quiet" testId="empty-panel" title="No tiles yet">
      Press “Arrange”, then “Add”; or pin a query with <kbd>p</kbd> in Explore.
    </Panel>
  );
}

/** What the parts of the board share. */
function useOpened(props: OpenBoardProps & { readonly isMoved: boolean }) {
  const { session, store, themeName, onVisit, isMoved } = props;
  const { board, document } = useStore(store);
  const { faults, address } = useAddress(props, board);
  const lasting = useLasting(session);
  const mode = useMode();
  const tables = useBoardTables(session, board);
  const kiosk = useKiosk(sectionsOf(board).length);
  const answers = useStore(lasting.reports);
  const moved = useMemo(() => (isMoved ? rankMoved(answers) : null), [isMoved, answers]);
  const notice = whyNotChanged(board, document.file);
  const whyNotSave = useWhyNot(session, "save");
  const whyReadOnly = notice ?? whyNotSave;
  const shown = useMemo(
    () => ({ session, store, board, themeName, onVisit }),
    [session, store, board, themeName, onVisit],
  );
  const opened = useMemo<OpenedBoard>(
    () => ({
      ...{ ...shown, ...address, ...lasting, ...tables, ...mode, moved, whyReadOnly },
      timeZone: address.bar.timeZone ?? ownTimeZone(),
      isArranging: mode.isArranging && whyReadOnly === null,
    }),
    [shown, address, lasting, tables, mode, moved, whyReadOnly],
  );
  usePrint(board, lasting.reports, mode);
  const editing = tilesOf(board).find((tile) => tile.id === mode.edited) ?? null;
  const onDone = (tile: DashboardTile | null): void => {
    if (tile !== null) store.edit({ kind: "replace tile", tile });
    mode.onEdit(null);
  };
  return { opened, faults, notice, kiosk, editing, onDone };
}

/** The bar and the side panel are in the address; a change of either is a step of the browser's history. */
function useAddress({ search, id, onVisit }: OpenBoardProps, board: Dashboard) {
  const { bar, faults } = useMemo(() => parseBar(search, barOfBoard(board)), [search, board]);
  const difference = useMemo(() => parseDifference(search), [search]);
  const address = useMemo(() => {
    const searchOf = (shown: BarState, compared: Difference | null): string =>
      [printBar(shown), ...(compared === null ? [] : [printDifference(compared)])].join("&");
    const visit = (shown: BarState, compared: Difference | null): void =>
      onVisit(`/dashboards/${encodeURIComponent(id)}?${searchOf(shown, compared)}`);
    return {
      ...{ bar, difference, barSearch: searchOf(bar, difference) },
      onBar: (next: BarState) => visit(next, difference),
      onDifference: (next: Difference | null) => visit(bar, next),
    };
  }, [bar, difference, id, onVisit]);
  return { faults, address };
}

/** What stays the same while the board is open. */
function useLasting(session: BoardScreenProps["session"]) {
  return useMemo(
    () => ({
      asker: createBatchAsker(session.client),
      reports: createReports(),
      colors: createColorBook(new Map(), () => {}),
    }),
    [session],
  );
}

/** Whether the board is arranged, and which tile has the whole screen or is edited. */
function useMode() {
  const [isArranging, onArrange] = useState(false);
  const [full, onFull] = useState<string | null>(null);
  const [edited, onEdit] = useState<string | null>(null);
  const [isPrinting, setPrinting] = useState(false);
  const onPrint = useCallback(() => setPrinting(true), []);
  const onPrinted = useCallback(() => setPrinting(false), []);
  return useMemo(
    () => ({
      ...{ isArranging, onArrange, full, onFull, edited, onEdit, isPrinting, onPrint, onPrinted },
    }),
    [isArranging, full, edited, isPrinting, onPrint, onPrinted],
  );
}

/** The columns of the tables that the tiles name, saved queries included once they are read. */
function useBoardTables(session: BoardScreenProps["session"], board: Dashboard) {
  const [named, setNamed] = useState<readonly string[]>([]);
  const names = useMemo(
    () => [...new Set([...tilesOf(board).flatMap(tableOf), ...named])],
    [board, named],
  );
  const onTable = useCallback(
    (name: string) => setNamed((known) => (known.includes(name) ? known : [...known, name])),
    [],
  );
  const tables = useTables(session, names);
  return useMemo(() => ({ ...tables, onTable }), [tables, onTable]);
}

/** The table of a tile with a query of its own; that of a saved query is known once it is read. */
const tableOf = (tile: ReturnType<typeof tilesOf>[number]): readonly string[] =>
  "query" in tile ? [tile.query.table] : [];

function whyNotChanged(board: OpenedBoard["board"], file: string | undefined): string | null {
  if (isNewerDashboard(board)) {
    return `This dashboard has version ${board.version}, of a newer Hadal: it is shown as far as it is known, and cannot be changed here.`;
  }
  return file === undefined
    ? null
    : `This dashboard comes from the file ${file}: it is changed there.`;
}
