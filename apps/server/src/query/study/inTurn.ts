import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { queryCost, rowsInRanges } from "../admit/queryCost.js";
import type { Scanned } from "../admit/rowQuota.js";
import { backgroundPlaceMs, LatePlace } from "../bind/latePlace.js";
import type { QueryDeps } from "../run/queryDeps.js";
import type { StudyOptions } from "./study.js";

/** A study that waits for its turn. */
export interface WaitingStudy {
  readonly rows: ResolvedQuery;
  /** How many columns it is about: each costs as much as a number of a query. */
  readonly columnCount: number;
  readonly client: string;
  readonly timing: StudyOptions;
}

/** Runs a study when it is its client's turn; its rows count for the person's share. */
export function runInTurn<Answer extends Scanned>(
  { rows, columnCount, client, timing }: WaitingStudy,
  deps: QueryDeps,
  run: (place: LatePlace) => Promise<Answer>,
): Promise<Answer> {
  const { admission, rowQuota, expectedRows, now } = deps;
  const demand = { ...timing, client, cost: queryCost(rows, columnCount, expectedRows) };
  const admitted = (): Promise<Answer> =>
    admission.run(demand, (giveBack) => {
      const place = new LatePlace(giveBack, now(), now);
      place.keepFor(backgroundPlaceMs);
      return run(place).finally(() => place.stop());
    });
  return rowQuota.run(client, () => rowsInRanges(rows, expectedRows), admitted);
}
