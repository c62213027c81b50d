import { HadalError } from "@hadal/sdk";
import { useState } from "react";

export interface Change {
  readonly outcome: { readonly tone: "bad" | "good"; readonly text: string } | null;
  /** Whether it succeeded; its text, if any, says what happened. */
  readonly run: (work: () => Promise<string | null>) => Promise<boolean>;
}

/** Runs changes one at a time and keeps what the last one led to. */
export function useChange(onChanged: () => Promise<void>): Change {
  const [outcome, setOutcome] = useState<Change["outcome"]>(null);
  const run = async (work: () => Promise<string | null>): Promise<boolean> => {
    try {
      const text = await work();
      setOutcome(text === null ? null : { tone: "good", text });
      await onChanged();
      return true;
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setOutcome({ tone: "bad", text: error.errors[0]?.detail ?? error.message });
      return false;
    }
  };
  return { outcome, run };
}
