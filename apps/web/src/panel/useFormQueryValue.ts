import type { ColumnInfo, HadalError } from "@hadal/sdk";
import { useMemo } from "react";
import { useStore } from "zustand";
import { placeOfPath } from "../draft/ask/buildQuery.js";
import type { ExploreStore } from "../draft/history/store.js";
import { ownTimeZone } from "../format/ownTimeZone.js";
import type { ExploreState } from "../query/state/exploreState.js";
import type { Session } from "../session/session.js";
import type { Question } from "./ask/useQuestion.js";
import type { FormQuery } from "./formQuery.js";

const noColumns: readonly ColumnInfo[] = [];

interface FormQueryParts {
  readonly session: Session;
  readonly store: ExploreStore;
  readonly state: ExploreState;
  /** null: not loaded yet. */
  readonly columns: readonly ColumnInfo[] | null;
  readonly question: Question;
  readonly dive: () => void;
}

/** The value that form and panel share; the same object until a part of it changes. */
export function useFormQueryValue(parts: FormQueryParts): FormQuery {
  const { session, store, state, columns: known, question, dive } = parts;
  const { probe } = question;
  const { problem } = question.main;
  const table = useStore(session).details.get(state.table) ?? null;
  const timeZone = state.timeZone ?? ownTimeZone();
  const columns = known ?? noColumns;
  const { dispatch } = store;
  return useMemo(
    () => ({
      ...{ session, state, table, columns, timeZone, probe, problem, dispatch, dive },
      faultAt: (place) => faultAt(problem, state, place),
    }),
    [session, state, table, columns, timeZone, dispatch, dive, probe, problem],
  );
}

/** The first error at this place of the form. */
function faultAt(problem: HadalError | null, state: ExploreState, place: string): string | null {
  if (problem === null) return null;
  const found = problem.errors.find(
    (part) => part.path !== undefined && placeOfPath(part.path, state) === place,
  );
  if (found !== undefined) return found.detail;
  // An error of times that the page itself cannot read has no path.
  const isTime = place === "from" && problem.errors.length === 0 && problem.code.startsWith("time");
  return isTime ? problem.message : null;
}
