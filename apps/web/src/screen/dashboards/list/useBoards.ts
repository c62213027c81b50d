import { type Dashboard, type DocumentSummary, type HadalClient, HadalError } from "@hadal/sdk";
import { useCallback, useEffect, useState } from "react";
import type { Session } from "../../../session/session.js";

/** A board that is not saved yet. */
export interface NewBoard {
  readonly title: string;
  readonly board: Dashboard;
  /** What its charts show beside their rows is made first. */
  readonly prepare?: (client: HadalClient) => Promise<void>;
}

export interface BoardActions {
  readonly load: () => Promise<void>;
  /** Saves a new board and opens it. */
  readonly create: (board: NewBoard) => void;
  readonly duplicate: (one: DocumentSummary) => Promise<void>;
  readonly remove: (one: DocumentSummary) => Promise<void>;
}

interface ListedBoards extends BoardActions {
  /** The last changed first; null: not read yet. */
  readonly boards: readonly DocumentSummary[] | null;
  /** Why they cannot be read. */
  readonly problem: string | null;
  /** Why the last action failed. */
  readonly outcome: string | null;
}

export function useBoards({ client }: Session, onVisit: (url: string) => void): ListedBoards {
  const { documents } = client;
  const [boards, setBoards] = useState<readonly DocumentSummary[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<string | null>(null);
  const load = useCallback(async (): Promise<void> => {
    try {
      setBoards(await documents.list({ kind: "dashboard" }));
      setProblem(null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [documents]);
  useEffect(() => void load(), [load]);
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      setOutcome(null);
      await action();
    } catch (error) {
      setOutcome(messageOf(error));
    }
  };
  const save = async (title: string, body: Dashboard): Promise<void> => {
    const draft = { kind: "dashboard" as const, title: title.slice(0, 200), body: { ...body } };
    const { id } = await documents.create(draft);
    onVisit(`/dashboards/${id}`);
  };
  return {
    ...{ boards, problem, outcome, load },
    create: ({ title, board, prepare }) =>
      void attempt(async () => {
        await prepare?.(client);
        await save(title, board);
      }),
    duplicate: ({ id, title }) =>
      attempt(async () => save(`Copy of ${title}`, (await documents.find(id)).body as Dashboard)),
    remove: ({ id, version }) =>
      attempt(async () => {
        await documents.delete(id, { version });
        await load();
      }),
  };
}

function messageOf(error: unknown): string {
  if (error instanceof HadalError) return error.message;
  throw error;
}
