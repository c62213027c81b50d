import { HadalError, type SavedDocument } from "@hadal/sdk";
import { useState } from "react";
import type { ExploreStore } from "../../../draft/history/store.js";
import {
  bodyOfState,
  type NewerVersion,
  newerVersionOf,
  type SavedBody,
  savedDraft,
} from "../../../draft/saved/savedState.js";
import { useFormQuery } from "../../../panel/formQuery.js";
import type { ShownDocument } from "./useSavedDocument.js";

/** Another save was faster: its version, and the body that was refused. */
export interface Conflict {
  readonly theirs: NewerVersion;
  readonly mine: SavedBody;
  /** The version that mine began from. */
  readonly from: number;
}

/** Saves the shown state, as the next version or as a new query. */
export function useSaving(store: ExploreStore, { set }: ShownDocument) {
  const { session, state, timeZone, columns, probe } = useFormQuery();
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { documents } = session.client;
  const bodyNow = (): SavedBody => {
    const probed = probe.kind === "ready" ? probe.result : null;
    return bodyOfState(state, { timeZone, nowMs: Date.now(), columns, probed }, store.colors());
  };
  const attempt = async (work: () => Promise<SavedDocument>): Promise<SavedDocument | null> => {
    setProblem(null);
    try {
      const document = await work();
      setConflict(null);
      set({ kind: "ready", document });
      store.keepSaved(document.id);
      void session.savedQueries.load();
      return document;
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      if (error.code === "unknown-document") set({ kind: "gone" });
      setProblem(error.errors[0]?.detail ?? error.message);
      return null;
    }
  };
  const saveNew = (title: string) => attempt(() => documents.create(savedDraft(title, bodyNow())));
  /** From this version on; another save since then becomes the conflict. */
  const saveNext = ({ id, title }: SavedDocument, version: number) =>
    attempt(async () => {
      const mine = bodyNow();
      try {
        return await documents.save(id, savedDraft(title, mine), { version });
      } catch (error) {
        const theirs = newerVersionOf(error);
        if (theirs !== null) setConflict({ theirs, mine, from: version });
        throw error;
      }
    });
  return { saveNew, saveNext, conflict, setConflict, problem, setProblem };
}
