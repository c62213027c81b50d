import { type DocumentSummary, HadalError } from "@hadal/sdk";
import { useState } from "react";
import { bodyOf, savedDraft } from "../../draft/saved/savedState.js";
import type { Session } from "../../session/session.js";

export interface RowAction {
  readonly kind: "rename" | "delete";
  readonly id: string;
}

/** Rename and delete: the row that is being changed, and the outcome of the last change. */
export function useRowActions({ client, savedQueries }: Session) {
  const [action, setAction] = useState<RowAction | null>(null);
  const [outcome, setOutcome] = useState<{ tone: "bad" | "good"; text: string } | null>(null);
  const attempt = async (work: () => Promise<string>): Promise<void> => {
    try {
      setOutcome({ tone: "good", text: await work() });
      setAction(null);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setOutcome({ tone: "bad", text: error.errors[0]?.detail ?? error.message });
    }
    await savedQueries.load();
  };
  const rename = ({ id, title }: DocumentSummary, next: string): Promise<void> =>
    attempt(async () => {
      const { version, ...document } = await client.documents.find(id);
      await client.documents.save(id, savedDraft(next, bodyOf(document)), { version });
      return `“${title}” is now “${next}”.`;
    });
  const remove = ({ id, title, version }: DocumentSummary): Promise<void> =>
    attempt(async () => {
      await client.documents.delete(id, { version });
      return `“${title}” is deleted.`;
    });
  const begin = (next: RowAction | null): void => {
    setAction(next);
    setOutcome(null);
  };
  return { action, outcome, begin, rename, remove };
}
