import type { FullRule } from "../rule/fullRule.js";
import type { Evaluation } from "./evaluation.js";
import type { Firing, GroupState, Notice, RuleState } from "./ruleState.js";

/** What channels are to be sent after a window, and what is left to say. */
export interface Said extends Pick<RuleState, "firings" | "unknown"> {
  readonly notices: readonly Notice[];
}

/** `before`: with the groups that have ended since. */
export function noticesOf(
  rule: FullRule,
  before: RuleState,
  after: RuleState,
  evaluation: Evaluation,
): Said {
  const notices: Notice[] = [];
  const firings = new Map<string, Firing>();
  for (const [id, firing] of Object.entries(after.firings)) {
    const groups = membersOf(after, id);
    if (groups.length === 0) {
      if (firing.saidMs === null) continue;
      const isHeld = evaluation.isMuted || (firing.isOver === true && after.unknown !== null);
      // Receivers keep open what they were sent: they hear of its end after the mute.
      if (isHeld) firings.set(id, { ...firing, isOver: true });
      else notices.push(endOf(id, firing, membersOf(before, id)));
      continue;
    }
    const repetition = dueRepetition(rule, firing, after, evaluation);
    if (repetition === null) firings.set(id, firing);
    else {
      const { sinceMs } = firing;
      notices.push({ id, state: "firing", repetition, sinceMs, groups, reason: null });
      firings.set(id, { ...firing, saidMs: evaluation.nowMs, repetition });
    }
  }
  const unknown = sayUnknown(rule, before, after, { ...evaluation, notices });
  return { firings: Object.fromEntries(firings), unknown, notices };
}

const membersOf = ({ groups }: RuleState, id: string): readonly GroupState[] =>
  Object.values(groups).filter(({ firing }) => firing === id);

/** The number of the message that is due; null: none is. */
function dueRepetition(
  { repeatMs }: FullRule,
  { saidMs, repetition, acknowledgedBy }: Firing,
  { unknown }: RuleState,
  { nowMs, isMuted }: Evaluation,
): number | null {
  // What is not known now is not said again.
  if (isMuted || unknown !== null) return null;
  if (saidMs === null) return 0;
  const isDue = repeatMs > 0 && acknowledgedBy === null && nowMs - saidMs >= repeatMs;
  return isDue ? repetition + 1 : null;
}

function endOf(
  id: string,
  { sinceMs, repetition, isOver }: Firing,
  groups: readonly GroupState[],
): Notice {
  const reason = groups.length === 0 && isOver !== true ? "the rule was changed" : null;
  return { id, state: "ok", repetition, sinceMs, groups, reason };
}

/** Says once that nothing can be said, where that is wanted or does not end by itself, and that it is over. */
function sayUnknown(
  { notifyUnknown }: FullRule,
  before: RuleState,
  { unknown }: RuleState,
  {
    isMuted,
    newId,
    notices,
    judgement,
  }: Pick<Evaluation, "isMuted" | "newId" | "judgement"> & { readonly notices: Notice[] },
): RuleState["unknown"] {
  if (unknown === null) {
    const { id = null, sinceMs = 0 } = before.unknown ?? {};
    if (id !== null && !isMuted)
      notices.push({ id, state: "ok", repetition: 0, sinceMs, groups: [], reason: null });
    return null;
  }
  // A rule that can never be judged again would pass for one that is fine.
  const isSaid = notifyUnknown || (judgement.kind === "unknown" && judgement.isBroken === true);
  if (!isSaid || isMuted || unknown.id !== null) return unknown;
  const id = newId();
  const { sinceMs, reason } = unknown;
  notices.push({ id, state: "unknown", repetition: 0, sinceMs, groups: [], reason });
  return { ...unknown, id };
}
