import type { AlertEvent } from "@hadal/sdk";
import { type AlertDelivery, deliveryOf } from "../../delivery.js";
import type { NamedRule } from "../../schedule/messageOf.js";
import type { History } from "./history.js";
import type { Arrival } from "./receivers.js";
import { groupNames } from "./truth.js";

/** What the registry has of a history. */
interface Kept {
  readonly messages: readonly AlertDelivery[];
  readonly events: readonly (AlertEvent & { readonly ruleId: string })[];
}

/** What a history has that must not be; none: nothing. */
export async function faultsOf(history: History): Promise<readonly string[]> {
  const kept = await readKept(history);
  return [
    ...history.faults,
    ...deliveryFaults(history, kept),
    ...firingFaults(history, kept),
    ...orderFaults(history),
    ...history.receivers.arrivals.flatMap((one) => bornByNothing(one, history)),
    ...history.rules.flatMap((named) => [...quietFaults(named, history)]),
  ];
}

async function readKept({ registry }: History): Promise<Kept> {
  return registry.read(async (database) => {
    const messages = await database.selectFrom("alert_deliveries").selectAll().execute();
    const events = await database.selectFrom("alert_history").selectAll().execute();
    return {
      messages: messages.map(deliveryOf),
      events: events.map(({ rule_id, body }) => ({
        ...(JSON.parse(body) as AlertEvent),
        ruleId: rule_id,
      })),
    };
  });
}

/** Every message arrives at its receiver, and nothing else does; once, where nothing fails. */
function* deliveryFaults({ receivers, quiet, rules }: History, kept: Kept): Generator<string> {
  const byKey = groupedBy(receivers.arrivals, ({ key }) => key);
  for (const { key, id, ruleId, channel, doneAt, error, message } of kept.messages) {
    const arrivals = byKey.get(key) ?? [];
    byKey.delete(key);
    // The last ones are on their way when the world ends.
    const isLate = message.toMs > quiet.toMs;
    if (doneAt === null && !isLate) yield `${key} is not marked as sent: ${error}`;
    if (arrivals.length === 0 && !isLate) yield `${key} never arrived`;
    const to = rules.find((rule) => rule.id === ruleId)?.rule.channels[channel];
    const isOther = arrivals.some((one) => one.id !== id || one.ruleId !== ruleId);
    const url = to?.kind === "webhook" ? to.url : null;
    if (isOther || arrivals.some(({ receiver }) => receiver !== url))
      yield `${key} arrived as another message, or elsewhere`;
    if (arrivals.length > 1 && arrivals.every(({ atMs }) => atMs >= quiet.fromMs))
      yield `${key} arrived ${arrivals.length} times, and nothing had failed`;
  }
  for (const key of byKey.keys()) yield `${key} arrived, and the registry does not know it`;
}

/** Every firing that is noted has one id, and one first message for each channel. */
function* firingFaults({ rules }: History, { messages, events }: Kept): Generator<string> {
  const begun = events.filter(({ state, firing }) => state === "firing" && firing !== undefined);
  for (const [id, all] of groupedBy(begun, ({ firing }) => String(firing))) {
    const [{ ruleId } = { ruleId: "" }] = all;
    const { channels = [], perGroup } = rules.find((one) => one.id === ruleId)?.rule ?? {};
    if (all.length > 1 && perGroup !== true) yield `${id} is noted ${all.length} times`;
    const first = messages.filter(
      (one) => one.id === id && one.state === "firing" && one.message.repetition === 0,
    );
    if (first.length !== channels.length) yield `${id} has ${first.length} first messages`;
  }
  const known = new Set(begun.map(({ firing }) => firing));
  for (const { id, state } of messages)
    if (state === "firing" && !known.has(id)) yield `${id} is not noted`;
}

/** "Over" never comes before what is over. */
function* orderFaults({ receivers: { arrivals } }: History): Generator<string> {
  const begun = new Set<string>();
  for (const { receiver, id, state } of arrivals) {
    if (state === "ok" && !begun.has(`${receiver} ${id}`))
      yield `${receiver} heard that ${id} is over before it began`;
    begun.add(`${receiver} ${id}`);
  }
}

/** A message says what the answer of its window bears. */
function bornByNothing(arrival: Arrival, { rules, truth }: History): readonly string[] {
  const { ruleId, state, repetition, text, groups, toMs, key } = arrival;
  const { table = "" } = rules.find(({ id }) => id === ruleId)?.rule.query ?? {};
  const gap = truth.gapAt(table, toMs);
  if (text.endsWith("the rule was changed")) return [];
  if (state === "unknown") return gap === null ? [`${key} is unknown, and it was known`] : [];
  if (gap !== null) return [`${key} is said of a window that ${gap}`];
  const bound = Number(/is above (\d+)/.exec(text)?.[1]);
  if (state === "ok") {
    const isFine = groups.length === 0 || groups.some((one) => countOf(one) <= bound);
    return isFine ? [] : [`${key} is over, and ${toMs} is above ${bound}`];
  }
  const wrong = groups.filter((one) => one.value !== countOf(one) || !(countOf(one) > bound));
  const isWrong = groups.length === 0 || (repetition === 0 && wrong.length > 0);
  return isWrong ? [`${key} fires, and ${toMs} is not above ${bound}`] : [];

  function countOf({ group }: Arrival["groups"][number]): number {
    return truth.countAt(table, String(group[0] ?? ""), toMs);
  }
}

/** With the answer, and the ways to the registry. */
const evaluationMs = 2_000;

/** Where nothing fails, each rise above the bound is one firing, and each fall its end. */
function* quietFaults({ id, rule }: NamedRule, history: History): Generator<string> {
  const { truth, quiet, receivers } = history;
  const { table } = rule.query;
  const bound = rule.condition.value ?? 0;
  // A window that is over while an earlier one is evaluated is left out.
  const lateMs = rule.everyMs * rule.forTimes + evaluationMs;
  const own = receivers.arrivals.filter(
    (one) => one.ruleId === id && (one.repetition === 0 || one.state === "ok"),
  );
  for (const url of rule.channels.map((channel) => ("url" in channel ? channel.url : "")))
    for (const atMs of truth.changes(quiet.fromMs, quiet.toMs - lateMs)) {
      const about = own.filter((one) => one.receiver === url && isWithin(one.toMs - atMs, lateMs));
      const isAbove = (group: string, at: number) => truth.countAt(table, group, at) > bound;
      const groups = rule.perGroup ? groupNames : [""];
      const risen = groups.filter((one) => !isAbove(one, atMs - 1) && isAbove(one, atMs));
      const fired = about.filter(({ state }) => state === "firing");
      const said = fired.flatMap((one) => one.groups.map(({ group }) => String(group[0] ?? "")));
      if (new Set(fired.map((one) => one.id)).size !== Math.min(1, risen.length))
        yield `${id}: ${fired.length} firings of ${risen.join(",")} at ${atMs}, to ${url}`;
      if (risen.some((group) => !said.includes(group)))
        yield `${id}: ${risen.join(",")} rose at ${atMs}, and ${url} heard of ${said.join(",")}`;
      const hasFallen = !rule.perGroup && isAbove("", atMs - 1) && !isAbove("", atMs);
      if (hasFallen && !about.some(({ state }) => state === "ok"))
        yield `${id}: it was over at ${atMs}, and ${url} did not hear of it`;
    }
}

const isWithin = (ms: number, max: number): boolean => ms >= 0 && ms <= max;

function groupedBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [value]);
    else known.push(value);
  }
  return groups;
}
