import { type ClusterPlan, HadalError, type PlanOptions } from "@hadal/sdk";
import { useCallback, useEffect, useState } from "react";
import type { Session } from "../../../session/session.js";

export interface LoadedPlan {
  /** The last plan, until the next has arrived; null: none yet. */
  readonly plan: ClusterPlan | null;
  readonly problem: string | null;
  readonly again: () => void;
}

/** The plan of options; `asked` is their text, so that the same options are not asked twice. */
export function usePlan(session: Session, asked: string): LoadedPlan {
  const [plan, setPlan] = useState<ClusterPlan | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [count, setCount] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `count` asks again
  useEffect(() => {
    let isCurrent = true;
    session.client.plan(JSON.parse(asked) as PlanOptions).then(
      (next) => {
        if (!isCurrent) return;
        setPlan(next);
        setProblem(null);
      },
      (error: unknown) => {
        if (!(error instanceof HadalError)) throw error;
        if (isCurrent) setProblem(error.message);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [session, asked, count]);
  return { plan, problem, again: useCallback(() => setCount((before) => before + 1), []) };
}
