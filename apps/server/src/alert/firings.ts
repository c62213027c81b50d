import { type AlertEvent, type Annotation, annotationsMax } from "@hadal/sdk";
import { listFiringEvents, readRules } from "../registry/alert/alertRows.js";
import type { Registry } from "../registry/registry.js";
import { conditionText } from "./rule/conditionText.js";
import { stateOf } from "./schedule/commitEvaluations.js";
import type { NamedRule } from "./schedule/messageOf.js";

/** Beginnings are looked for so long before the range, ends so long after it. */
const lookAroundMs = 7 * 86_400_000;

export interface FiringSearch {
  /** Null: no bound. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly nowMs: number;
}

interface Firing {
  readonly ruleId: string;
  readonly id: string;
  /** Null: it began before the events that were read. */
  readonly startMs: number | null;
  /** Of its last group; null: no end was noted. */
  readonly endMs: number | null;
}

/** The firings of rules as annotations of charts; one that goes on lasts until now. */
export async function findFirings(
  registry: Registry,
  rules: readonly NamedRule[],
  { fromMs, toMs, nowMs }: FiringSearch,
): Promise<readonly Annotation[]> {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const startMs = fromMs ?? Number.MIN_SAFE_INTEGER;
  const endMs = toMs ?? Number.MAX_SAFE_INTEGER;
  const range = { fromMs: startMs - lookAroundMs, toMs: endMs + lookAroundMs };
  return registry.read(async (database) => {
    const events = await listFiringEvents(database, [...byId.keys()], range);
    const firings = firingsOf(events);
    const without = firings.filter((one) => one.endMs === null).map(({ ruleId }) => ruleId);
    const kept = await readRules(database, [...new Set(without)], (text) => registry.warn(text));
    const isOpen = ({ ruleId, id }: Firing): boolean =>
      stateOf(kept.get(ruleId) ?? { state: null })?.firings[id] !== undefined;
    return firings
      .map((one) => annotationOf(one, byId.get(one.ruleId)!, isOpen(one) ? nowMs : null))
      .filter(({ timeMs, untilMs }) => timeMs < endMs && (untilMs ?? timeMs) >= startMs)
      .slice(-annotationsMax);
  });
}

/** Groups that fire together are one firing. */
function firingsOf(
  events: readonly { readonly ruleId: string; readonly event: AlertEvent }[],
): readonly Firing[] {
  const found = new Map<string, Firing>();
  for (const { ruleId, event } of events) {
    const { firing: id, state, at, toMs = at } = event;
    if (id === undefined) continue;
    const known = found.get(id) ?? { ruleId, id, startMs: null, endMs: null };
    const isStart = state === "firing";
    const startMs = isStart ? Math.min(known.startMs ?? toMs, toMs) : known.startMs;
    const endMs = isStart ? known.endMs : Math.max(known.endMs ?? toMs, toMs);
    found.set(id, { ...known, startMs, endMs });
  }
  return [...found.values()];
}

function annotationOf(
  { ruleId, id, startMs, endMs }: Firing,
  { title, rule, version }: NamedRule,
  openUntilMs: number | null,
): Annotation {
  const end = openUntilMs ?? endMs;
  const timeMs = startMs ?? end ?? 0;
  return {
    ...{ id: `firing-${id}`, version, title, alert: ruleId, createdBy: null },
    ...{ timeMs, untilMs: end === null || end <= timeMs ? null : end },
    ...{ text: conditionText(rule), tags: ["alert"], tables: [rule.query.table] },
  };
}
