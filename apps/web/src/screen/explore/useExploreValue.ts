import type { ColumnInfo, HadalError } from "@hadal/sdk";
import { useMemo } from "react";
import { useStore } from "zustand";
import { placeOfPath } from "../../draft/ask/buildQuery.js";
import type { ExploreStore } from "../../draft/history/store.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import type { Question } from "../../panel/ask/useQuestion.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { Session } from "../../session/session.js";
import type { Explore } from "./explore.js";

const noColumns: readonly ColumnInfo[] = [];

interface ExploreParts {
  readonly session: Session;
  readonly store: ExploreStore;
  readonly state: ExploreState;
  /** null: they are not read yet. */
  readonly columns: readonly ColumnInfo[] | null;
  readonly question: Question;
  readonly dive: () => void;
}

/** What the parts of the screen share, the same object for as long as nothing of it changes. */
export function useExploreValue(parts: ExploreParts): Explore {
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

/** The first thing that is wrong at this place of the form. */
function faultAt(problem: HadalError | null, state: ExploreState, place: string): string | null {
  if (problem === null) return null;
  const found = problem.errors.find(
    (part) => part.path !== undefined && placeOfPath(part.path, state) === place,
  );
  if (found !== undefined) return found.detail;
  // Times that this page could not read itself come without a path.
  const isTime = place === "from" && problem.errors.length === 0 && problem.code.startsWith("time");
  return isTime ? problem.message : null;
}
