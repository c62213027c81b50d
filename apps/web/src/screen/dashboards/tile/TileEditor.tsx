import {
  type DashboardIgnore,
  type DashboardTile,
  dashboardIgnores,
  dashboardTitleMax,
  type QueryTile,
  type SavedQueryTile,
} from "@hadal/sdk";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { ChartIntent, Mark } from "../../../chart/kit/answer/intent.js";
import { OpenMark } from "../../../chart/kit/pointer/openMark.js";
import { type AddressBar, createExploreStore } from "../../../draft/history/store.js";
import { tileOfState } from "../../../draft/tile/tileOfState.js";
import { printUrl } from "../../../draft/url/url.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { AnswerPane } from "../../../panel/answer/AnswerPane.js";
import { useColumns } from "../../../panel/ask/useColumns.js";
import { useQuestion } from "../../../panel/ask/useQuestion.js";
import { editOfIntent } from "../../../panel/editOfIntent.js";
import { FormQueryProvider } from "../../../panel/FormQueryProvider.js";
import { FormPanel } from "../../../panel/form/FormPanel.js";
import { ValueMenu } from "../../../panel/menu/ValueMenu.js";
import { StatusLine } from "../../../panel/status/StatusLine.js";
import { useFormQueryValue } from "../../../panel/useFormQueryValue.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { Button } from "../../../ui/button/Button.js";
import { useBoard } from "../board/boardContext.js";
import type { BarState } from "../model/barState.js";
import { valuesOf, withVariables } from "../model/tileUnderBar.js";
import { faultWords } from "../model/variableFaults.js";
import styles from "./editor.module.css";
import { VariableFaultsPanel } from "./VariableFaultsPanel.js";

export interface TileEditorProps {
  readonly tile: QueryTile | SavedQueryTile;
  /** What the tile shows without the board's bar. */
  readonly state: ExploreState;
  /** null: nothing changes. */
  readonly onDone: (tile: DashboardTile | null) => void;
}

/** Edits a tile in place, with the form of Explore. */
export function TileEditor({ tile, state: opened, onDone }: TileEditorProps) {
  const { colors } = useBoard();
  const [title, setTitle] = useState(tile.title ?? "");
  const [ignores, setIgnores] = useState<readonly DashboardIgnore[]>(tile.ignores ?? []);
  const store = useMemo(() => createExploreStore(memoryBar(opened), new MemoryTexts()), [opened]);
  useEffect(() => store.close, [store]);
  const state = useStore(store).state ?? opened;
  const apply = (): void => {
    const { id, x, y, w, h } = tile;
    const place = { id, ...(x !== undefined && { x }), ...(y !== undefined && { y }) };
    const size = { ...(w !== undefined && { w }), ...(h !== undefined && { h }) };
    const named = title.trim() === "" ? {} : { title: title.trim() };
    const own = ignores.length === 0 ? {} : { ignores };
    // A saved query that was not edited stays one, and follows its changes.
    const isSaved = "savedQuery" in tile && printUrl(state) === printUrl(opened);
    const asked = isSaved ? { savedQuery: tile.savedQuery } : tileOfState(state);
    onDone({ ...place, ...size, ...named, ...own, ...asked } as DashboardTile);
  };
  return (
    <div
      className={styles.editor}
      role="dialog"
      aria-modal="true"
      aria-label="Edit the tile"
      data-testid="tile-editor"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) onDone(null);
      }}
    >
      <div className={styles.head}>
        <input
          // biome-ignore lint/a11y/noAutofocus: the editor opens on request
          autoFocus
          className={styles.title}
          aria-label="Title of the tile"
          data-testid="tile-title"
          placeholder="title of the tile"
          maxLength={dashboardTitleMax}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <Ignores ignores={ignores} onChange={setIgnores} />
        <span className={styles.grow} />
        <Button data-testid="cancel-tile" onClick={() => onDone(null)}>
          Cancel
        </Button>
        <Button look="main" data-testid="apply-tile" onClick={apply}>
          Apply
        </Button>
      </div>
      <EditedQuery store={store} state={state} colors={colors} />
    </div>
  );
}

const ignoreNames: Readonly<Record<DashboardIgnore, string>> = {
  ...{ time: "time", compare: "comparison", timeZone: "zone", live: "live" },
  ...{ filter: "filters", variables: "variables" },
};

interface IgnoresProps {
  readonly ignores: readonly DashboardIgnore[];
  readonly onChange: (ignores: readonly DashboardIgnore[]) => void;
}

function Ignores({ ignores, onChange }: IgnoresProps) {
  return (
    <fieldset className={styles.ignores}>
      <legend>own, not the board's: </legend>
      {dashboardIgnores.map((part) => (
        <label key={part}>
          <input
            type="checkbox"
            data-testid={`ignore-${part}`}
            checked={ignores.includes(part)}
            onChange={({ target }) =>
              onChange(target.checked ? [...ignores, part] : ignores.filter((one) => one !== part))
            }
          />
          {ignoreNames[part]}
        </label>
      ))}
    </fieldset>
  );
}

interface EditedQueryProps {
  readonly store: ReturnType<typeof createExploreStore>;
  readonly state: ExploreState;
  readonly colors: ReturnType<typeof useBoard>["colors"];
}

/** The form, and the answer of the query that is being edited. */
function EditedQuery({ store, state, colors }: EditedQueryProps) {
  const { session, themeName, bar } = useBoard();
  const { asked } = useStore(store);
  const { variables, named, usesVariables, fault } = useNamed(state, bar);
  const own = useStore(session).details.get(state.table)?.columns ?? null;
  const columns = useColumns(session, state, own);
  const timeZone = state.timeZone ?? ownTimeZone();
  const wanted = fault === null;
  const question = useQuestion(session, { state: named, asked, timeZone, columns, wanted });
  const dive = useCallback(() => store.dive(), [store]);
  const value = useFormQueryValue({ session, store, state, columns, question, dive });
  const form = useMemo(() => ({ ...value, variables }), [value, variables]);
  const filterRef = useRef<HTMLButtonElement>(null);
  const [mark, setMark] = useState<Mark | null>(null);
  const { answer, asking, streaming, waiting } = question.main;
  const result = answer?.result ?? null;
  const onIntent = (intent: ChartIntent): void => {
    if (intent.kind === "pick") setMark(intent.mark);
    else if (intent.kind === "again") dive();
    else store.dispatch(editOfIntent(intent, state));
  };
  useEffect(() => {
    void session.loadTable(state.table);
  }, [session, state.table]);
  return (
    <FormQueryProvider value={form}>
      <div className={styles.columns}>
        <aside className={styles.form} aria-label="Query">
          <FormPanel
            autoBucketMs={answer?.subject.built.bucketMs ?? null}
            asOfMs={result?.asOf ?? null}
            // Counts of the form are of its filters as they are written.
            settled={answer !== null && !waiting && !streaming && !usesVariables}
            filterRef={filterRef}
            onDive={dive}
            result={result}
          />
        </aside>
        <main className={styles.answer}>
          <StatusLine result={result} busy={asking || streaming} />
          {fault === null ? (
            <OpenMark.Provider value={mark}>
              <AnswerPane
                question={question}
                colors={colors.passing}
                themeName={themeName}
                onIntent={onIntent}
                remedyOf={() => null}
              />
            </OpenMark.Provider>
          ) : (
            <VariableFaultsPanel words={fault} />
          )}
          <ValueMenu mark={mark} onClose={() => setMark(null)} />
        </main>
      </div>
    </FormQueryProvider>
  );
}

/** What is asked while the form shows the variables by their names. */
function useNamed(state: ExploreState, bar: BarState) {
  return useMemo(() => {
    const { state: named, used, faults } = withVariables(state, valuesOf(bar));
    const variables = bar.variables.map(({ name }) => `$${name}`);
    return { variables, named, fault: faultWords(faults), usesVariables: used.size > 0 };
  }, [state, bar]);
}

/** The editor's state has no place in the address: its history is the store's own. */
function memoryBar(opened: ExploreState): AddressBar {
  let search = `?${printUrl(opened)}`;
  let index = 0;
  const keep = (next: string, at: number): void => {
    search = `?${next}`;
    index = at;
  };
  return {
    search: () => search,
    index: () => index,
    push: keep,
    replace: keep,
    go: () => {},
    onMove: () => () => {},
  };
}

/** Texts for as long as the editor is open. */
class MemoryTexts {
  readonly #texts = new Map<string, string>();

  getItem(key: string): string | null {
    return this.#texts.get(key) ?? null;
  }

  setItem(key: string, text: string): void {
    this.#texts.set(key, text);
  }
}
