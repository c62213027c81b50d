import { type HadalClient, HadalError } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatInstant } from "../../format/time.js";
import {
  annotationsOfRows,
  type FoundAnnotations,
  rowsQuery,
} from "../../panel/annotation/annotationRows.js";
import styles from "./annotations.module.css";
import { type RowsForm, readRows } from "./rowsForm.js";

export interface RowsPreviewProps {
  readonly client: HadalClient;
  readonly form: RowsForm;
}

const weekMs = 7 * 86_400_000;
/** A change of the form asks after this pause. */
const pauseMs = 250;
/** More are counted. */
const shownMax = 5;

type Preview = FoundAnnotations | { readonly problem: string };

/** What the query finds in the last week; nothing until the form is complete. */
export function RowsPreview({ client, form }: RowsPreviewProps) {
  const asked = useAsked(form);
  const [preview, setPreview] = useState<Preview | null>(null);
  useEffect(() => {
    setPreview(null);
    if (asked === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    const read = async (): Promise<void> => {
      try {
        const to = Date.now();
        const query = rowsQuery(asked, { from: to - weekMs, to });
        const result = await client.query(query, { signal });
        if (!signal.aborted) setPreview(annotationsOfRows(asked, result));
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof HadalError)) throw error;
        setPreview({ problem: error.message });
      }
    };
    const timer = setTimeout(() => void read(), pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [client, asked]);
  if (asked === null) return null;
  return (
    <div className={styles.preview} data-testid="rows-preview" aria-busy={preview === null}>
      <span className={styles.label}>In the last 7 days</span>
      {preview === null && <span className={styles.quiet}>Reading rows…</span>}
      {preview !== null && "problem" in preview && (
        <span className={styles.bad} role="alert">
          {preview.problem}
        </span>
      )}
      {preview !== null && "annotations" in preview && <Found found={preview} />}
    </div>
  );
}

function Found({ found: { annotations, note } }: { readonly found: FoundAnnotations }) {
  const rest = annotations.length - shownMax;
  if (annotations.length === 0 && note === null) return <span className={styles.quiet}>None.</span>;
  return (
    <>
      <ul className={styles.found}>
        {annotations.slice(0, shownMax).map(({ id, title, timeMs }) => (
          <li key={id}>
            <small>{formatInstant(timeMs, ownTimeZone())}</small> {title}
          </li>
        ))}
      </ul>
      {rest > 0 && <span className={styles.quiet}>and {rest} more</span>}
      {note !== null && <span className={styles.quiet}>{note}</span>}
    </>
  );
}

/** null: the form is not complete. */
function useAsked(form: RowsForm) {
  return useMemo(() => {
    const title = form.title.trim() === "" ? form.table : form.title;
    const read = readRows({ ...form, title });
    if (!read.ok) return null;
    return { ...read.body, title, id: "preview", version: 1, createdBy: null };
  }, [form]);
}
