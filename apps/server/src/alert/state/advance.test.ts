import { type AlertRule, alertRecentMax } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Judgement } from "../judge/judge.js";
import type { Verdict } from "../judge/verdict.js";
import { keyOfGroup } from "../judge/windowAnswer.js";
import { fullRule } from "../rule/fullRule.js";
import { advance } from "./advance.js";
import type { Notice, RuleState } from "./ruleState.js";

const ruleOf = (more: Partial<AlertRule> = {}) =>
  fullRule({
    query: { table: "t", from: "-5m", to: "now", aggregates: [{ fn: "count" }] },
    condition: { aggregate: "count", op: "above", value: 5 },
    ...more,
  });

/** b: breach, f: fine, h: fine within its bars, u: unknown; one letter for each of the groups 0, 1, … */
function judgementOf(letters: string): Judgement {
  if (letters === "x")
    return { kind: "unknown", reason: "no rights", completeness: null, isBroken: true };
  if (letters === "?") return { kind: "unknown", reason: "rows are missing", completeness: 0.5 };
  const verdicts = [...letters].map((letter, i): Verdict => {
    const one = { group: [i], value: i, interval: null };
    if (letter === "b") return { ...one, kind: "breach" };
    if (letter === "u") return { ...one, kind: "unknown", reason: "no value" };
    return { ...one, kind: "fine", ...(letter === "h" && { held: true as const }) };
  });
  return {
    ...{ kind: "judged", completeness: 1 },
    verdicts: new Map(verdicts.map((one) => [keyOfGroup(one.group), one])),
  };
}

class Run {
  state: RuleState | null = null;
  readonly notices: Notice[] = [];
  readonly events: string[] = [];
  rule = ruleOf();
  isMuted = false;
  nowMs = 1_000_000;
  #ids = 0;

  /** Of the next window, or of one that ended before. */
  step(letters: string, toMs = this.#nextWindow()): this {
    const step = advance(this.rule, this.state, {
      ...{ judgement: judgementOf(letters), toMs, nowMs: this.nowMs, isMuted: this.isMuted },
      newId: () => `f${++this.#ids}`,
    });
    this.state = step.state;
    this.notices.push(...step.notices);
    this.events.push(...step.events.map(({ state }) => state));
    return this;
  }

  #nextWindow(): number {
    this.nowMs += 60_000;
    return this.nowMs;
  }

  acknowledge(): this {
    const { state } = this;
    if (state === null) return this;
    const acknowledgedBy = { who: "ann", atMs: this.nowMs };
    const all = Object.entries(state.firings).map(([id, one]) => [id, { ...one, acknowledgedBy }]);
    this.state = { ...state, firings: Object.fromEntries(all) };
    return this;
  }

  get said(): readonly string[] {
    return this.notices.map(({ id, state, repetition }) => `${id} ${state} ${repetition}`);
  }
}

describe("advance", () => {
  test("so many windows in a row, then it fires, and is over", () => {
    const run = new Run();
    run.rule = ruleOf({ forTimes: 3 });
    run.step("b").step("b").step("f").step("b").step("b");
    expect([run.state?.state, run.said]).toEqual(["pending", []]);
    run.step("b").step("b").step("f").step("f");
    expect(run.events).toEqual(["pending", "ok", "pending", "firing", "ok"]);
    expect(run.said).toEqual(["f1 firing 0", "f1 ok 0"]);
  });

  test("a window that was judged is not judged again, nor an earlier one", () => {
    const run = new Run().step("f").step("b");
    const { state } = run;
    run.step("f", run.nowMs).step("f", run.nowMs - 60_000);
    expect([run.state, run.said]).toEqual([state, ["f1 firing 0"]]);
  });

  test("a clock that was in the future for a while does not end a rule", () => {
    const run = new Run();
    run.nowMs += 1e9;
    run.step("f");
    run.nowMs -= 1e9;
    expect(run.step("b").said).toEqual(["f1 firing 0"]);
  });

  test("what is not known neither fires, nor ends, nor is forgotten", () => {
    const run = new Run().step("?").step("b").step("?");
    expect([run.state?.state, run.said]).toEqual(["unknown", ["f1 firing 0"]]);
    run.step("b");
    expect([run.state?.state, run.said]).toEqual(["firing", ["f1 firing 0"]]);
    expect(run.step("f").said).toEqual(["f1 firing 0", "f1 ok 0"]);
    expect(run.events).toEqual(["unknown", "firing", "firing", "unknown", "firing", "ok"]);
  });

  test("it is sent where the rule wants that", () => {
    const run = new Run();
    run.rule = ruleOf({ notifyUnknown: true });
    expect(run.step("?").step("?").step("f").said).toEqual(["f1 unknown 0", "f1 ok 0"]);
  });

  test("groups that begin together are one firing, which is over with the last of them", () => {
    const run = new Run().step("bbf").step("bbb").step("fbb").step("fff");
    expect(run.said).toEqual(["f1 firing 0", "f2 firing 0", "f1 ok 0", "f2 ok 0"]);
    expect(run.notices.map(({ groups }) => groups.length)).toEqual([2, 1, 1, 1]);
  });

  test("what falls back within its bars goes on firing, and does not begin to", () => {
    const run = new Run().step("h").step("b").step("h");
    expect([run.state?.state, run.said]).toEqual(["firing", ["f1 firing 0"]]);
  });

  test("repetitions end when someone acknowledges", () => {
    const run = new Run();
    run.rule = ruleOf({ repeatMs: 120_000 });
    run.step("b").step("b").step("b").step("b").step("b").acknowledge().step("b").step("b");
    expect(run.said).toEqual(["f1 firing 0", "f1 firing 1", "f1 firing 2"]);
    expect(run.step("f").said.at(-1)).toBe("f1 ok 2");
  });

  test("a muted rule says nothing; what still fires then is said", () => {
    const run = new Run();
    run.isMuted = true;
    run.step("b").step("f").step("b");
    expect(run.said).toEqual([]);
    run.isMuted = false;
    expect(run.step("b").said).toEqual(["f2 firing 0"]);
  });

  test("the end of what was said is said after a mute, and not before it is known", () => {
    const run = new Run().step("b");
    run.isMuted = true;
    run.step("f").step("f");
    expect([run.state?.state, run.said]).toEqual(["ok", ["f1 firing 0"]]);
    run.isMuted = false;
    expect(run.step("?").said).toEqual(["f1 firing 0"]);
    expect(run.step("f").said).toEqual(["f1 firing 0", "f1 ok 0"]);
    expect(run.notices.at(-1)?.reason).toBeNull();
  });

  test("what does not end by itself is said, once, also where not knowing is not", () => {
    const run = new Run().step("?").step("?");
    expect(run.said).toEqual([]);
    run.step("x").step("x");
    expect(run.said).toEqual(["f1 unknown 0"]);
    expect(run.step("f").said).toEqual(["f1 unknown 0", "f1 ok 0"]);
  });

  test("the last windows are kept with their values, one that cannot be judged as a gap", () => {
    const run = new Run().step("f").step("?").step("b");
    const startMs = run.nowMs - 120_000;
    expect(run.state?.recent).toEqual([
      ...[
        [startMs, 0],
        [startMs + 60_000, null],
        [startMs + 120_000, 0],
      ],
    ]);
    for (let i = 0; i < 40; i++) run.step("f");
    expect(run.state?.recent).toHaveLength(alertRecentMax);
    expect(run.state?.recent?.at(-1)).toEqual([run.nowMs, 0]);
  });

  test("a rule that was changed begins again", () => {
    const run = new Run().step("b");
    run.rule = ruleOf({ condition: { aggregate: "count", op: "above", value: 9 }, forTimes: 2 });
    run.step("b", run.nowMs);
    expect([run.state?.state, run.said]).toEqual(["pending", ["f1 firing 0", "f1 ok 0"]]);
  });

  test("of a thousand groups ten are listed, and one message is sent", () => {
    const run = new Run().step("b".repeat(1_000));
    expect([run.events.length, run.said]).toEqual([11, ["f1 firing 0"]]);
  });

  test("any windows: each firing is said once, then repeated in order, and over once", () => {
    const steps = fc.array(
      fc.record({
        letters: fc.oneof(fc.constant("?"), fc.stringMatching(/^[bfhu]{3}$/)),
        isMuted: fc.boolean(),
        isAcknowledged: fc.boolean(),
        isTwice: fc.boolean(),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 3 }), (all, forTimes) => {
        const run = new Run();
        run.rule = ruleOf({ forTimes, repeatMs: 60_000 });
        const row = [0, 0, 0];
        for (const { letters, isMuted, isAcknowledged, isTwice } of all) {
          run.isMuted = isMuted;
          if (isAcknowledged) run.acknowledge();
          const before = run.notices.length;
          run.step(letters);
          if (isTwice) run.step("bbb", run.nowMs);
          const said = run.notices.slice(before);
          if (isMuted || letters === "?") expect(said).toEqual([]);
          for (const [i, letter] of [...letters].entries()) {
            if (letters === "?") continue;
            row[i] = letter === "b" ? row[i]! + 1 : letter === "u" ? row[i]! : 0;
            const group = run.state?.groups[`[${i}]`];
            if (letter === "b")
              expect(group?.firing != null).toBe(row[i]! >= forTimes || wasFiring(run, i));
          }
        }
        run.isMuted = false;
        run.step("fff");
        checkOrder(run.said);
      }),
    );
  });
});

/** A group within its bars goes on firing without being a breach. */
const wasFiring = (run: Run, i: number): boolean =>
  (run.state?.groups[`[${i}]`]?.times ?? 0) >= (run.rule.forTimes ?? 1);

function checkOrder(said: readonly string[]): void {
  const ids = new Set(said.map((text) => text.split(" ")[0]));
  for (const id of ids) {
    const own = said.filter((text) => text.startsWith(`${id} `));
    const firing = own.filter((text) => text.includes("firing"));
    expect(firing).toEqual(firing.map((_, i) => `${id} firing ${i}`));
    const over = own.filter((text) => text.includes("ok"));
    expect(over).toHaveLength(1);
    expect(own.at(-1)).toBe(over[0]);
  }
}
