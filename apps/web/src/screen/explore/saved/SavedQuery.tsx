import type { SavedDocument } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { ExploreStore } from "../../../draft/history/store.js";
import { bodyOf, differsFrom, savedDraft, stateOfBody } from "../../../draft/saved/savedState.js";
import { useFormQuery } from "../../../panel/formQuery.js";
import { VersionsSheet } from "../../../panel/saved/VersionsSheet.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { useWhyNot } from "../../../session/useWhyNot.js";
import { windowTitle } from "../windowTitle.js";
import { ConflictSheet } from "./ConflictSheet.js";
import { DifferenceSheet } from "./DifferenceSheet.js";
import { SavedLine } from "./SavedLine.js";
import { SaveSheet } from "./SaveSheet.js";
import { saveRequest } from "./saveRequest.js";
import { useSavedDocument } from "./useSavedDocument.js";
import { type Conflict, useSaving } from "./useSaving.js";

type Dialog = "name" | "versions" | "differences" | null;

/** The saved query of the address: its line, and the dialogs to save it, compare it and restore it. */
export function SavedQuery({ store }: { readonly store: ExploreStore }) {
  const work = useSavedWork(store);
  const { read, saved, saving, dialog, setDialog } = work;
  const hasOwnProblem = dialog === "name" || saving.conflict !== null;
  return (
    <>
      <SavedLine
        shown={read.shown}
        differs={work.differs}
        maySave={work.whyNotSave === null}
        note={work.note}
        problem={hasOwnProblem ? null : saving.problem}
        onSave={() => saveRequest.setState({ kind: "save" })}
        onSaveAs={() => saveRequest.setState({ kind: "save as" })}
        onRevert={() => saved !== null && work.open(saved)}
        onDifferences={() => setDialog("differences")}
        onVersions={() => setDialog("versions")}
        onAgain={read.again}
        onDetach={() => store.keepSaved(null)}
      />
      {dialog === "name" && <NameSheet work={work} />}
      {work.document !== null && <DocumentDialogs work={work} document={work.document} />}
    </>
  );
}

type SavedWork = ReturnType<typeof useSavedWork>;

/** The saved query, what can be done with it, and which dialog is open for that. */
function useSavedWork(store: ExploreStore) {
  const { session, state, timeZone, dispatch } = useFormQuery();
  const read = useSavedDocument(session, state.saved);
  const { shown } = read;
  const document = shown.kind === "ready" ? shown.document : null;
  const saved = useSavedState(document, timeZone);
  const differs = saved !== null && differsFrom(state, saved);
  const saving = useSaving(store, read);
  const [dialog, setDialog] = useState<Dialog>(null);
  const whyNotSave = useWhyNot(session, "save");
  const [note, setNote] = useState<string | null>(null);
  const noteSaved = ({ version }: SavedDocument): void => setNote(`Saved as version ${version}.`);
  const saveNext = async (version: number): Promise<void> => {
    const next = document === null ? null : await saving.saveNext(document, version);
    if (next !== null) noteSaved(next);
  };
  const open = (next: ExploreState): void => dispatch({ kind: "open", state: next });
  const show = (next: SavedDocument): void => {
    read.set({ kind: "ready", document: next });
    open(stateOfBody(bodyOf(next), next.id, { timeZone, nowMs: Date.now() }));
  };
  useSaveRequest({ isKnown: shown.kind !== "loading" }, (kind) => {
    if (dialog !== null || saving.conflict !== null) return;
    saving.setProblem(whyNotSave);
    if (whyNotSave !== null) return;
    if (kind === "save as" || document === null) setDialog("name");
    else if (differs) void saveNext(document.version);
    else setNote(`Nothing has changed since version ${document.version}.`);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit makes the note out of date
  useEffect(() => setNote(null), [differs, state.saved]);
  return {
    ...{ read, document, saved, differs, saving, saveNext, whyNotSave },
    ...{ dialog, setDialog, note, noteSaved, open, show },
  };
}

interface WorkProps {
  readonly work: SavedWork;
}

/** Asks for the name of a new saved query. */
function NameSheet({ work: { document, saving, noteSaved, setDialog } }: WorkProps) {
  const { state, timeZone } = useFormQuery();
  const suggested =
    document === null
      ? windowTitle(state, timeZone).replace(/ · Hadal$/, "")
      : `${document.title} (copy)`;
  return (
    <SaveSheet
      suggested={suggested}
      problem={saving.problem}
      onSave={async (title) => {
        const next = await saving.saveNew(title);
        if (next === null) return;
        noteSaved(next);
        setDialog(null);
      }}
      onClose={() => setDialog(null)}
    />
  );
}

interface DocumentDialogsProps extends WorkProps {
  readonly document: SavedDocument;
}

/** The dialogs about a saved query that was read: versions, differences, a conflict. */
function DocumentDialogs({ work, document }: DocumentDialogsProps) {
  const { session, state } = useFormQuery();
  const { saving, dialog, setDialog, show } = work;
  return (
    <>
      {dialog === "versions" && (
        <VersionsSheet
          session={session}
          document={document}
          whyReadOnly={work.whyNotSave}
          onClose={() => setDialog(null)}
          onRestored={(next) => {
            setDialog(null);
            work.noteSaved(next);
            show(next);
          }}
        />
      )}
      {dialog === "differences" && (
        <DifferenceSheet document={document} state={state} onClose={() => setDialog(null)} />
      )}
      {saving.conflict !== null && (
        <SavedConflict
          document={document}
          conflict={saving.conflict}
          onMine={(version) => void work.saveNext(version)}
          onTheirs={show}
          onNew={() => setDialog("name")}
          onEnd={() => {
            saving.setConflict(null);
            saving.setProblem(null);
          }}
        />
      )}
    </>
  );
}

interface SavedConflictProps {
  /** As it was when the reader began. */
  readonly document: SavedDocument;
  readonly conflict: Conflict;
  /** Saves on top of this version. */
  readonly onMine: (version: number) => void;
  readonly onTheirs: (document: SavedDocument) => void;
  readonly onNew: () => void;
  readonly onEnd: () => void;
}

function SavedConflict(props: SavedConflictProps) {
  const { document, conflict, onMine, onTheirs, onNew, onEnd } = props;
  const { version, title, body } = conflict.theirs;
  // The problem does not say who saved the newer version.
  const theirs = { ...document, version, title, changedBy: null, changedMs: Date.now() };
  return (
    <ConflictSheet
      title={document.title}
      conflict={conflict}
      onMine={() => onMine(version)}
      onTheirs={() => {
        onEnd();
        onTheirs({ ...theirs, body: savedDraft(title, body).body });
      }}
      onNew={() => {
        onEnd();
        onNew();
      }}
      onClose={onEnd}
    />
  );
}

/** The state as it was saved. */
function useSavedState(document: SavedDocument | null, timeZone: string): ExploreState | null {
  return useMemo(
    () =>
      document === null
        ? null
        : stateOfBody(bodyOf(document), document.id, { timeZone, nowMs: Date.now() }),
    [document, timeZone],
  );
}

/** Begins what the reader asked for once it is known which saved query is shown. */
function useSaveRequest(
  { isKnown }: { readonly isKnown: boolean },
  begin: (kind: "save" | "save as") => void,
): void {
  const { kind } = useStore(saveRequest);
  useEffect(() => {
    if (kind === null || !isKnown) return;
    saveRequest.setState({ kind: null });
    begin(kind);
  });
}
