import { annotationTextMax, documentTitleMax, type SavedDocument } from "@hadal/sdk";
import { useState } from "react";
import { useStore } from "zustand";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import type { Session } from "../../session/session.js";
import { NamesField } from "../../ui/field/NamesField.js";
import { AreaField, TextField } from "../../ui/field/TextField.js";
import { Sheet } from "../../ui/popup/Sheet.js";
import styles from "./annotations.module.css";
import type { Faults } from "./faults.js";
import { SheetForm } from "./fields.js";
import { emptyMoment, formOfMoment, type MomentForm, readMoment } from "./momentForm.js";
import { useSaving } from "./useSaving.js";

export interface EditSheetProps {
  readonly session: Session;
  /** null: a new one. */
  readonly document: SavedDocument | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** An annotation made by hand. */
export function MomentSheet({ session, document, onClose, onSaved }: EditSheetProps) {
  const timeZone = ownTimeZone();
  const clock = () => ({ timeZone, nowMs: Date.now() });
  const [form, setForm] = useState(() =>
    document === null ? emptyMoment : formOfMoment(document, clock()),
  );
  const { faults, isSaving, save } = useSaving({ session, document, onSaved });
  const { tables } = useStore(session);
  const set = (part: Partial<typeof form>): void => setForm((known) => ({ ...known, ...part }));
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={document === null ? "New annotation" : "Annotation"}
      width={520}
      testId="annotation-sheet"
    >
      <SheetForm
        {...{ faults, isSaving, onClose, isNew: document === null }}
        onSave={() => void save(form.title, readMoment(form, clock()))}
      >
        <TextField
          label="What happened?"
          testId="moment-title"
          value={form.title}
          lengthMax={documentTitleMax}
          fault={faults.title}
          onChange={(title) => set({ title })}
        />
        <TimeFields {...{ form, faults, timeZone }} onSet={set} />
        <AreaField
          rows={3}
          label="Text"
          testId="moment-text"
          value={form.text}
          lengthMax={annotationTextMax}
          fault={faults.text}
          onChange={(text) => set({ text })}
        />
        <TextField
          label="Tags, with commas"
          testId="moment-tags"
          value={form.tags}
          lengthMax={annotationTextMax}
          fault={faults.tags}
          onChange={(tags) => set({ tags })}
        />
        <NamesField
          label="On charts of"
          testId="moment-tables"
          names={form.tables}
          choices={(tables ?? []).map(({ name }) => name)}
          none="every table"
          fault={faults.tables}
          onChange={(next) => set({ tables: next })}
        />
      </SheetForm>
    </Sheet>
  );
}

interface TimeFieldsProps {
  readonly form: MomentForm;
  readonly faults: Faults;
  readonly timeZone: string;
  readonly onSet: (part: Partial<MomentForm>) => void;
}

function TimeFields({ form, faults, timeZone, onSet }: TimeFieldsProps) {
  return (
    <div className={styles.pair}>
      <TextField
        label={`When (${timeZone})`}
        testId="moment-time"
        value={form.time}
        lengthMax={documentTitleMax}
        hint="now, 2 hours ago, yesterday 9:00, 2026-11-21 9:00"
        fault={faults.time}
        onChange={(time) => onSet({ time })}
      />
      <TextField
        label="Until"
        testId="moment-until"
        value={form.until}
        lengthMax={documentTitleMax}
        hint="empty: a moment"
        fault={faults.until}
        onChange={(until) => onSet({ until })}
      />
    </div>
  );
}
