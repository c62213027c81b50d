import { type DocumentSummary, HadalError, type SavedDocument } from "@hadal/sdk";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Command } from "../../command/command.js";
import { useCommands } from "../../command/useCommands.js";
import { VersionsSheet } from "../../panel/saved/VersionsSheet.js";
import type { Session } from "../../session/session.js";
import { useWhyNot } from "../../session/useWhyNot.js";
import { Button } from "../../ui/button/Button.js";
import { Awaited } from "../../ui/page/Awaited.js";
import { Page } from "../../ui/page/Page.js";
import { Panel } from "../../ui/page/Panel.js";
import { Strip } from "../../ui/page/Strip.js";
import { DataTable } from "../../ui/table/DataTable.js";
import styles from "./saved.module.css";
import { savedColumns, walkTitles } from "./savedColumns.js";
import { newestFirst, savedRows } from "./savedRows.js";
import { useRowActions } from "./useRowActions.js";
import { useTablesOf } from "./useTablesOf.js";

/** Rows that are drawn at first; the search finds the others. */
const shownFirst = 100;

/** All saved queries. */
export function SavedList({ session }: { readonly session: Session }) {
  const { list, problem } = useStore(session.savedQueries);
  useEffect(() => {
    document.title = "Saved · Hadal";
    void session.savedQueries.load();
  }, [session]);
  if (list === null) {
    return (
      <Awaited
        problem={problem?.message ?? null}
        title="The saved queries cannot be loaded"
        onAgain={() => void session.savedQueries.load()}
      />
    );
  }
  if (list.length === 0) {
    return (
      <Panel
        tone="quiet"
        testId="empty-panel"
        title="No saved queries yet"
        action={<a href="/explore">Go to Explore</a>}
      >
        Press <kbd>Ctrl S</kbd> in Explore: the query is saved with its time range, view and
        comparison, for everyone who may see its table.
      </Panel>
    );
  }
  return <Listed session={session} list={list} problem={problem?.message ?? null} />;
}

interface ListedProps {
  readonly session: Session;
  readonly list: readonly DocumentSummary[];
  /** Why the list could not be read again. */
  readonly problem: string | null;
}

function Listed({ session, list, problem }: ListedProps) {
  const [text, setText] = useState("");
  const [sort, setSort] = useState(newestFirst);
  const [count, setCount] = useState(shownFirst);
  const found = useMemo(() => savedRows(list, text, sort), [list, text, sort]);
  const shown = useMemo(() => found.slice(0, count), [found, count]);
  const tableOf = useTablesOf(session, shown);
  const actions = useRowActions(session);
  const versions = useOpenVersions(session);
  const whyNotSave = useWhyNot(session, "save");
  const { outcome } = actions;
  return (
    <Page
      testId="saved-screen"
      title="Saved queries"
      note={list.length}
      actions={
        <Search
          text={text}
          onText={(next) => {
            setText(next);
            setCount(shownFirst);
          }}
        />
      }
    >
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
      {versions.problem !== null && <Strip tone="bad">{versions.problem}</Strip>}
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="saved-outcome">
          {outcome.text}
        </Strip>
      )}
      <DataTable
        label="Saved queries"
        testId="saved-list"
        rowTestId="saved"
        columns={savedColumns({
          ...{ sort, onSort: setSort, tableOf, actions, maySave: whyNotSave === null },
          onVersions: versions.open,
        })}
        rows={shown}
        rowKey={({ id }) => id}
        empty={`No title or person matches “${text.trim()}”.`}
      />
      {found.length > shown.length && (
        <p className={styles.more}>
          {shown.length} of {found.length} are shown.
          <Button data-testid="saved-more" onClick={() => setCount(count + shownFirst)}>
            Show more
          </Button>
        </p>
      )}
      <OpenVersions session={session} versions={versions} whyReadOnly={whyNotSave} />
    </Page>
  );
}

interface SearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Finds queries by title and person; from here the arrow down walks the titles. */
function Search({ text, onText }: SearchProps) {
  const ref = useRef<HTMLInputElement>(null);
  useSavedKeys(ref);
  return (
    <input
      ref={ref}
      type="search"
      className={styles.search}
      aria-label="Search saved queries"
      data-testid="saved-search"
      placeholder="search titles and people ( / )"
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown" && event.key !== "Enter") return;
        event.preventDefault();
        walkTitles(null, 1);
      }}
    />
  );
}

/** The document whose versions are shown; the list has no bodies. */
function useOpenVersions({ client }: Session) {
  const [document, setDocument] = useState<SavedDocument | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const open = ({ id }: DocumentSummary): void => {
    setProblem(null);
    client.documents.find(id).then(setDocument, (error: unknown) => {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error.message);
    });
  };
  return { document, problem, open, close: () => setDocument(null) };
}

interface OpenVersionsProps {
  readonly session: Session;
  readonly versions: ReturnType<typeof useOpenVersions>;
  readonly whyReadOnly: string | null;
}

function OpenVersions({ session, versions, whyReadOnly }: OpenVersionsProps) {
  const { document, close } = versions;
  if (document === null) return null;
  return (
    <VersionsSheet
      session={session}
      document={document}
      whyReadOnly={whyReadOnly}
      onClose={close}
      onRestored={() => {
        close();
        void session.savedQueries.load();
      }}
    />
  );
}

function useSavedKeys(searchRef: RefObject<HTMLInputElement | null>): void {
  const commands = useMemo<Command[]>(
    () => [
      {
        id: "search saved",
        group: "This screen",
        label: "Search saved queries",
        keys: ["/"],
        run: () => searchRef.current?.focus(),
      },
      { id: "walk saved", group: "This screen", label: "Next or previous query", keyText: "↑  ↓" },
      { id: "rename saved", group: "This screen", label: "Rename the query", keyText: "F2" },
      { id: "delete saved", group: "This screen", label: "Delete the query", keyText: "Delete" },
    ],
    [searchRef],
  );
  useCommands(commands);
}
