import {
  type FunctionTrialResult,
  type HadalClient,
  HadalError,
  nameFault,
  type UserFunction,
} from "@hadal/sdk";
import { useState } from "react";
import type { CodeFault } from "../../ui/code/CodeEditor.js";
import { faultsOf, messageOf, placesIn } from "./sourceFaults.js";

export interface FunctionDraft {
  readonly client: HadalClient;
  /** null: a new function. */
  readonly saved: UserFunction | null;
  readonly name: string;
  readonly source: string;
  readonly onSaved: (name: string) => Promise<void>;
  readonly onDeleted: () => Promise<void>;
}

/** Runs, saves and deletes a function, with the outcome of the last action. */
export function useFunctionWork(draft: FunctionDraft) {
  const { client, saved, name, source } = draft;
  const [outcome, setOutcome] = useState<{ tone: "bad" | "good"; text: string } | null>(null);
  const [faults, setFaults] = useState<readonly CodeFault[]>([]);
  const [trial, setTrial] = useState<FunctionTrialResult | null>(null);

  /** Runs an action and shows its errors in the source. */
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setOutcome(null);
    setFaults([]);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setFaults(placesIn(source, faultsOf(error)));
      setOutcome({ tone: "bad", text: messageOf(error) });
    }
  };
  /** Runs on the newest rows; `args` are the columns of its parameters, null: the whole row. */
  const run = (table: string | null, args: readonly string[] | null): Promise<void> =>
    attempt(async () => {
      if (table === null) return;
      const result = await client.tryFunction({ source, table, ...(args !== null && { args }) });
      setTrial(result);
      setFaults(placesIn(source, faultsOf(result)));
    });
  const save = (): Promise<void> =>
    attempt(async () => {
      const fault = nameFault(name);
      if (fault !== null) {
        setOutcome({ tone: "bad", text: name === "" ? "Enter a name first." : fault });
        return;
      }
      const next = await saveDraft(draft);
      setOutcome({ tone: "good", text: `Saved as version ${next.version}.` });
      await draft.onSaved(next.name);
    });
  const remove = (): Promise<void> =>
    attempt(async () => {
      if (saved === null) return;
      await client.deleteFunction(saved.name);
      await draft.onDeleted();
    });
  return { outcome, faults, trial, run, save, remove };
}

function saveDraft({ client, saved, name, source }: FunctionDraft) {
  // Saving over an example creates a new function of the same name.
  const isNext = saved !== null && !saved.example && saved.name === name;
  const description = saved?.description;
  const content = { source, ...(description !== undefined && { description }) };
  return client.saveFunction(name, content, isNext ? { version: saved.version } : {});
}
