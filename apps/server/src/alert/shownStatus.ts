import { type AlertStatus, alertMessageGroupsMax, type SavedDocument } from "@hadal/sdk";
import type { KeptRule } from "../registry/alert/alertRows.js";
import { ruleOf } from "./knownRules.js";
import { conditionText } from "./rule/conditionText.js";
import { stateOf } from "./schedule/commitEvaluations.js";
import { openFirings, type RuleState, shownState } from "./state/ruleState.js";

/** What is known of a rule beside its document. */
export interface KnownOfRule {
  /** Null: it was neither saved here nor evaluated. */
  readonly kept: KeptRule | null;
  readonly undelivered: number;
}

/** A rule as people see it. */
export function shownStatus(
  { id, title, version, body }: SavedDocument,
  { kept, undelivered }: KnownOfRule,
  nowMs: number,
): AlertStatus {
  const [named] = ruleOf({ id, title, version, body }, false);
  const state = kept === null ? null : stateOf(kept);
  const mutedUntilMs = kept !== null && kept.mutedUntilMs > nowMs ? kept.mutedUntilMs : null;
  const { query } = body as { readonly query?: { readonly table?: string } };
  const known = { id, title, version, table: query?.table ?? "", mutedUntilMs, undelivered };
  const shown = statusOfState(state, mutedUntilMs !== null);
  if (named !== undefined) return { ...known, text: conditionText(named.rule), ...shown };
  const reason = "The rule is not valid: save it again.";
  return { ...known, text: "", ...shown, state: "unknown", reason };
}

type StatusOfState = Omit<
  AlertStatus,
  "id" | "title" | "version" | "table" | "text" | "mutedUntilMs" | "undelivered"
>;

function statusOfState(state: RuleState | null, isMuted: boolean): StatusOfState {
  if (state === null)
    return {
      ...{ state: isMuted ? "muted" : "ok", since: null, value: null, interval: null },
      ...{ completeness: null, reason: null, evaluatedMs: null, groups: [], groupCount: 0 },
      ...{ acknowledged: null, recent: [] },
    };
  const groups = Object.values(state.groups);
  const unknown = state.unknown?.reason ?? groups.find((one) => one.unknown !== null)?.unknown;
  const [acknowledged] = openFirings(state).flatMap(([, { acknowledgedBy }]) =>
    acknowledgedBy === null ? [] : [acknowledgedBy],
  );
  const named = groups.filter(({ group }) => group.length > 0);
  return {
    ...{ state: shownState(state, isMuted), since: state.sinceMs, value: state.value },
    ...{ interval: state.interval, completeness: state.completeness },
    ...(state.unit !== undefined && { unit: state.unit }),
    ...{ reason: unknown ?? null, evaluatedMs: state.evaluatedMs, recent: state.recent ?? [] },
    groups: named
      .slice(0, alertMessageGroupsMax)
      .map(({ group, value, interval }) => ({ group, value, interval })),
    groupCount: named.length,
    acknowledged:
      acknowledged === undefined ? null : { at: acknowledged.atMs, who: acknowledged.who },
  };
}
