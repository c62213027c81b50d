import { type DocumentDraft, HadalError, type SavedDocument } from "@hadal/sdk";
import { useState } from "react";
import type { Session } from "../../session/session.js";
import { type Faults, faultsOfError } from "./faults.js";

export interface SavingOf {
  readonly session: Session;
  /** null: a new one. */
  readonly document: SavedDocument | null;
  readonly onSaved: () => void;
}

type Read =
  | { readonly ok: true; readonly body: object }
  | { readonly ok: false; readonly faults: Faults };

/** Saves a form; its faults are shown until the next attempt. */
export function useSaving({ session, document, onSaved }: SavingOf) {
  const [faults, setFaults] = useState<Faults>({});
  const [isSaving, setSaving] = useState(false);
  const save = async (title: string, read: Read): Promise<void> => {
    setFaults(read.ok ? {} : read.faults);
    if (!read.ok) return;
    setSaving(true);
    try {
      const { documents } = session.client;
      const draft: DocumentDraft = {
        ...{ kind: "annotation", title: title.trim(), body: { ...read.body } },
      };
      if (document === null) await documents.create(draft);
      else await documents.save(document.id, draft, { version: document.version });
      onSaved();
    } catch (error) {
      setFaults(faultsOfSave(error));
    } finally {
      setSaving(false);
    }
  };
  return { faults, isSaving, save };
}

function faultsOfSave(error: unknown): Faults {
  if (error instanceof HadalError && error.code === "version-conflict") {
    return { "": "Another person changed it meanwhile. Close this and open it again." };
  }
  return faultsOfError(error);
}
