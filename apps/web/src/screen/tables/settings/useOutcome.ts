import { HadalError } from "@hadal/sdk";
import { useState } from "react";

export interface Outcome {
  readonly tone: "bad" | "good";
  readonly text: string;
}

/** Saves a form and keeps the message about the outcome. */
export function useOutcome(): readonly [
  Outcome | null,
  (work: () => Promise<void>, saved: string) => Promise<void>,
  (reason: string) => void,
] {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const showError = (reason: string): void => setOutcome({ tone: "bad", text: reason });
  const save = async (work: () => Promise<void>, saved: string): Promise<void> => {
    try {
      await work();
      setOutcome({ tone: "good", text: saved });
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      const [first] = error.errors;
      showError(first?.detail ?? error.message);
    }
  };
  return [outcome, save, showError];
}
