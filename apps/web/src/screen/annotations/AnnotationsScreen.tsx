import type { Annotation, AnnotationQuery, SavedDocument } from "@hadal/sdk";
import { HadalError } from "@hadal/sdk";
import { Flag, Plus } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { annotationChanges } from "../../panel/annotation/annotationChanges.js";
import type { Session } from "../../session/session.js";
import { useChange } from "../../session/useChange.js";
import { useLoaded } from "../../session/useLoaded.js";
import { useWhyNot } from "../../session/useWhyNot.js";
import { Button } from "../../ui/button/Button.js";
import { Awaited } from "../../ui/page/Awaited.js";
import { Page, Section } from "../../ui/page/Page.js";
import { Panel } from "../../ui/page/Panel.js";
import { Strip } from "../../ui/page/Strip.js";
import { DataTable } from "../../ui/table/DataTable.js";
import { momentColumns, queryColumns } from "./annotationColumns.js";
import styles from "./annotations.module.css";
import { MomentSheet, type EditSheetProps as SheetProps } from "./MomentSheet.js";
import { RowsSheet } from "./RowsSheet.js";
import { searchMoments, searchQueries } from "./searchAnnotations.js";

/** What the form is about; `document` null: a new one. */
interface Edited {
  readonly kind: "moment" | "rows";
  readonly document: SavedDocument | null;
}

/** More are found by the search. */
const shownMax = 200;

/** What charts over time mark: made by hand, or the rows of a query. */
export function AnnotationsScreen({ session }: { readonly session: Session }) {
  const { annotations } = session.client;
  const { value, problem, load } = useLoaded(
    useCallback(() => annotations.listAll(), [annotations]),
  );
  const [edited, setEdited] = useState<Edited | null>(null);
  const [text, setText] = useState("");
  const { outcome, open, remove, onSaved } = useAnnotationActions(session, load, setEdited);
  const whyNotSave = useWhyNot(session, "save");
  useEffect(() => {
    document.title = "Annotations · Hadal";
    void session.loadTables();
  }, [session]);
  if (value === null) {
    return (
      <Awaited
        problem={problem}
        title="The annotations cannot be loaded"
        onAgain={() => void load()}
      />
    );
  }
  const isEmpty = value.annotations.length + value.queries.length === 0;
  const of = { mayChange: whyNotSave === null, onEdit: open, onRemove: remove };
  return (
    <Page
      testId="annotations-screen"
      title="Annotations"
      actions={
        <>
          {!isEmpty && <Search text={text} onText={setText} />}
          <AddButtons whyNot={whyNotSave} onAdd={(kind) => setEdited({ kind, document: null })} />
        </>
      }
    >
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="annotations-outcome">
          {outcome.text}
        </Strip>
      )}
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
      {isEmpty ? (
        <NoAnnotations />
      ) : (
        <>
          <Moments all={value.annotations} text={text} of={of} />
          <Queries all={value.queries} text={text} of={of} />
        </>
      )}
      {edited !== null && (
        <EditSheet {...{ session, edited, onSaved }} onClose={() => setEdited(null)} />
      )}
    </Page>
  );
}

interface EditSheetProps extends Omit<SheetProps, "document"> {
  readonly edited: Edited;
}

function EditSheet({ edited: { kind, document }, ...props }: EditSheetProps) {
  return kind === "moment" ? (
    <MomentSheet {...props} document={document} />
  ) : (
    <RowsSheet {...props} document={document} />
  );
}

interface SearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

const Search = ({ text, onText }: SearchProps) => (
  <input
    type="search"
    className={styles.search}
    aria-label="Search annotations"
    data-testid="annotation-search"
    placeholder="search titles, texts, tags, tables"
    value={text}
    onChange={(event) => onText(event.target.value)}
  />
);

type ColumnsOf = Parameters<typeof momentColumns>[0];

interface ListProps<One> {
  readonly all: readonly One[];
  readonly text: string;
  readonly of: ColumnsOf;
}

function Moments({ all, text, of }: ListProps<Annotation>) {
  if (all.length === 0) return null;
  const found = searchMoments(all, text);
  const shown = found.slice(0, shownMax);
  return (
    <Section title="By hand and by programs" note={countWords(shown.length, found.length)}>
      <DataTable
        label="Annotations"
        testId="annotation-list"
        rowTestId="annotation-row"
        columns={momentColumns(of)}
        rows={shown}
        rowKey={({ id }) => id}
        empty={`No annotation matches “${text.trim()}”.`}
      />
    </Section>
  );
}

function Queries({ all, text, of }: ListProps<AnnotationQuery>) {
  if (all.length === 0) return null;
  return (
    <Section title="From queries" note="each row that matches is an annotation, at its time">
      <DataTable
        label="Queries"
        testId="annotation-queries"
        rowTestId="annotation-query"
        columns={queryColumns(of)}
        rows={searchQueries(all, text)}
        rowKey={({ id }) => id}
        empty={`No query matches “${text.trim()}”.`}
      />
    </Section>
  );
}

const countWords = (shown: number, found: number): string =>
  shown === found ? String(found) : `the newest ${shown} of ${found}; the search finds the others`;

interface AddButtonsProps {
  /** Why the reader may not add any; null: they may. */
  readonly whyNot: string | null;
  readonly onAdd: (kind: Edited["kind"]) => void;
}

function AddButtons({ whyNot, onAdd }: AddButtonsProps) {
  const common = { disabled: whyNot !== null, title: whyNot ?? undefined };
  return (
    <>
      <Button {...common} data-testid="new-annotation-query" onClick={() => onAdd("rows")}>
        <Plus size={14} /> From a query
      </Button>
      <Button {...common} look="main" data-testid="new-annotation" onClick={() => onAdd("moment")}>
        <Flag size={14} /> New annotation
      </Button>
    </>
  );
}

function NoAnnotations() {
  return (
    <Panel tone="quiet" testId="empty-panel" title="No annotations yet">
      <p>
        An annotation says what happened when: a release, an incident. Every chart over time of its
        tables marks it, and “Compare before and after” is one click away. Make one here, with a
        click on a chart, by <code>POST /api/v1/annotations</code>, or let the rows of a table be
        annotations.
      </p>
    </Panel>
  );
}

/** Opening, removing and saving, and what came of it. */
function useAnnotationActions(
  session: Session,
  load: () => Promise<void>,
  onEdited: (edited: Edited | null) => void,
) {
  const { documents } = session.client;
  const { outcome, run } = useChange(load);
  const noteChange = (): void => annotationChanges.setState(({ count }) => ({ count: count + 1 }));
  const open = (id: string): void =>
    void run(async () => {
      const document = await findWhole(session, id);
      onEdited({ kind: "query" in document.body ? "rows" : "moment", document });
      return null;
    });
  const remove = (id: string, version: number): void =>
    void run(async () => {
      await documents.delete(id, { version });
      noteChange();
      return null;
    });
  const onSaved = (): void => {
    onEdited(null);
    noteChange();
    void run(async () => null);
  };
  return { outcome, open, remove, onSaved };
}

/** The list leaves out tables that the reader may not read; a save would drop them. */
async function findWhole({ client }: Session, id: string): Promise<SavedDocument> {
  try {
    return await client.documents.find(id);
  } catch (error) {
    if (!(error instanceof HadalError) || error.code !== "unknown-document") throw error;
    const detail = "It is gone, or also about tables that you may not read: you cannot change it.";
    throw new HadalError("forbidden", { detail });
  }
}
