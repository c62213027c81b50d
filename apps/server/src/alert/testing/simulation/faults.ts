import { fullRule } from "../../rule/fullRule.js";
import type { History } from "./history.js";
import type { ReceiverMood } from "./receivers.js";
import { SimulatedGateway } from "./simulatedGateway.js";

/** Each takes some time, or lasts until all are mended. */
type Fault = (history: History, endMs: number) => void;

const faults: readonly Fault[] = [
  ...[killed, killed, paused, registryAway, cutOff, answersLost, clockJumps, registryClockJumps],
  ...[receiverFails, receiverFails, ruleChanges],
];
const faultEveryMs = 4_000;
const moods: readonly ReceiverMood[] = ["refuses", "fails", "hangs", "answers late", "answers"];

/** Something happens every few seconds until then. */
export function beginFaults(history: History, endMs: number): void {
  const { world } = history;
  for (let atMs = world.nowMs + 3_000; atMs < endMs; atMs += world.between(200, faultEveryMs)) {
    const fault = oneOf(faults, history);
    world.at(atMs, () => fault(history, endMs));
  }
}

/** All gateways run, with right clocks, and what they need is there. */
export function endFaults(history: History): void {
  history.awayUntilMs = 0;
  history.lossyUntilMs = 0;
  history.registryOffsetMs = 0;
  for (const url of urlsOf(history)) history.receivers.be(url, "answers");
  restartAll(history);
}

export function restartAll(history: History): void {
  const { gateways } = history;
  for (const [i, gateway] of gateways.entries()) {
    gateway.kill();
    gateways[i] = new SimulatedGateway(history, 0);
  }
}

function killed(history: History, endMs: number): void {
  const { world, gateways } = history;
  const place = world.random.below(gateways.length);
  const gateway = gateways[place]!;
  gateway.kill();
  world.after(world.between(0, 15_000), () => {
    if (gateways[place] === gateway && world.nowMs < endMs)
      gateways[place] = new SimulatedGateway(history, gateway.offsetMs);
  });
}

function paused(history: History): void {
  const { world } = history;
  oneOf(history.gateways, history).pauseUntil(world.nowMs + world.between(500, 25_000));
}

function registryAway(history: History): void {
  history.awayUntilMs = history.world.nowMs + history.world.between(500, 15_000);
}

function cutOff(history: History): void {
  const { world } = history;
  oneOf(history.gateways, history).cutOffUntilMs = world.nowMs + world.between(500, 20_000);
}

function answersLost(history: History): void {
  history.lossyUntilMs = history.world.nowMs + history.world.between(500, 8_000);
}

function clockJumps(history: History): void {
  oneOf(history.gateways, history).offsetMs += jumpMs(history);
}

function registryClockJumps(history: History): void {
  history.registryOffsetMs += jumpMs(history);
}

function receiverFails(history: History): void {
  history.receivers.be(oneOf(urlsOf(history), history), oneOf(moods, history));
}

/** Its bound, or its title alone. */
function ruleChanges(history: History): void {
  const { world } = history;
  const changed = oneOf(history.rules, history);
  const { condition } = changed.rule;
  const value = world.onceIn(2) ? (condition.value ?? 0) : world.between(3, 7);
  const rule = fullRule({ ...changed.rule, condition: { ...condition, value } });
  const version = changed.version + 1;
  history.rules = history.rules.map((one) =>
    one === changed ? { ...one, rule, version, title: `${one.id} ${version}` } : one,
  );
}

/** Seconds, or more than an hour: either way. */
function jumpMs({ world }: History): number {
  const ms = world.onceIn(2) ? world.between(1, 40_000) : world.between(3_600_000, 7_200_000);
  return world.onceIn(2) ? ms : -ms;
}

const oneOf = <Value>(values: readonly Value[], { world }: History): Value =>
  values[world.random.below(values.length)]!;

const urlsOf = ({ rules }: History): readonly string[] => [
  ...new Set(
    rules.flatMap(({ rule }) =>
      rule.channels.flatMap((channel) => (channel.kind === "webhook" ? [channel.url] : [])),
    ),
  ),
];
