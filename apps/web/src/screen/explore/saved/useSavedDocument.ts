import { HadalError, type SavedDocument } from "@hadal/sdk";
import { useCallback, useEffect, useState } from "react";
import type { Session } from "../../../session/session.js";

/** The saved query of the address. */
export type Shown =
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  /** It was deleted, or the reader may not see it. */
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "ready"; readonly document: SavedDocument };

export interface ShownDocument {
  readonly shown: Shown;
  /** Shows what the server has just answered. */
  readonly set: (shown: Shown) => void;
  readonly again: () => void;
}

/** Reads the saved query with this id; null: none. */
export function useSavedDocument({ client }: Session, id: string | null): ShownDocument {
  const [read, setRead] = useState<{ readonly id: string | null; readonly shown: Shown }>({
    id: null,
    shown: { kind: "none" },
  });
  const [attempt, setAttempt] = useState(0);
  const isKnown = read.id === id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads the same again
  useEffect(() => {
    if (id === null || isKnown) return;
    let current = true;
    client.documents.find(id).then(
      (document) => {
        // A document of another kind is no query.
        const isQuery = document.kind === "query";
        if (current)
          setRead({ id, shown: isQuery ? { kind: "ready", document } : { kind: "gone" } });
      },
      (error: unknown) => {
        if (!(error instanceof HadalError)) throw error;
        const isGone = error.code === "unknown-document";
        const failed: Shown = { kind: "failed", reason: error.message };
        if (current) setRead({ id, shown: isGone ? { kind: "gone" } : failed });
      },
    );
    return () => {
      current = false;
    };
  }, [client, id, isKnown, attempt]);
  const set = useCallback(
    (shown: Shown) => setRead({ id: shown.kind === "ready" ? shown.document.id : id, shown }),
    [id],
  );
  const again = useCallback(() => {
    setRead({ id: null, shown: { kind: "none" } });
    setAttempt((count) => count + 1);
  }, []);
  const shown: Shown = id === null ? { kind: "none" } : isKnown ? read.shown : { kind: "loading" };
  return { shown, set, again };
}
