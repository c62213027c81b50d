import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { AdmissionLimits } from "../../base/limit/admissionLimits.js";
import { StopController } from "../../base/schedule/stopController.js";
import { Admission, type Demand, lightCostMax } from "./admission.js";
import { AnswerPool } from "./answerPool.js";

const heavyCost = lightCostMax + 1;

/** Work that lasts until the test ends it, and the work begun so far. */
function createWorld(limits: Partial<AdmissionLimits> = {}, now = () => performance.now()) {
  const answers = new AnswerPool(2 ** 20, now);
  const admission = new Admission(
    { queriesRunning: 2, queriesWaiting: 10, queueWaitMs: 60_000, answerMemory: 1, ...limits },
    now,
    answers,
  );
  const begun: string[] = [];
  const ends = new Map<string, (error?: HadalError) => void>();
  const ask = (name: string, demand: Partial<Demand> = {}): Promise<string> => {
    const { signal } = new StopController();
    const deadline = now() + 60_000;
    const whole: Demand = { client: "a", cost: heavyCost, deadline, signal, ...demand };
    const answer = admission.run(
      whole,
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name);
          ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
        }),
    );
    // Tests look at some of them only later, and at others not at all.
    answer.catch(() => undefined);
    return answer;
  };
  const end = async (name: string, error?: HadalError): Promise<void> => {
    await settled();
    ends.get(name)?.(error);
    await settled();
  };
  return { admission, answers, begun, ask, end };
}

/** Everything that waits for what was just settled has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const tooLittle = (): HadalError =>
  new HadalError("query-memory", { neededBytes: 2, limitName: "x", freeBytes: 1 });

describe("a bounded number of queries run", () => {
  test("the others wait, and run as places come free", async () => {
    const { admission, begun, ask, end } = createWorld();
    const answers = ["1", "2", "3", "4"].map((name) => ask(name));
    await settled();
    expect(begun).toEqual(["1", "2"]);
    expect(admission.counts).toEqual({ running: 2, waiting: 2, refused: 0, answerBytes: 0 });
    await end("2");
    expect(begun).toEqual(["1", "2", "3"]);
    for (const name of ["1", "3", "4"]) await end(name);
    expect(await Promise.all(answers)).toEqual(["1", "2", "3", "4"]);
    expect(admission.counts).toEqual({ running: 0, waiting: 0, refused: 0, answerBytes: 0 });
  });

  test("work that fails gives its place back", async () => {
    const { begun, ask, end } = createWorld({ queriesRunning: 1 });
    const [first] = [ask("1"), ask("2")];
    await end("1", new HadalError("cancelled"));
    await expect(first).rejects.toMatchObject({ code: "cancelled" });
    expect(begun).toEqual(["1", "2"]);
  });

  test("no one begins while answers that have not left take more than they may", async () => {
    const { admission, answers, begun, ask, end } = createWorld();
    const wide = { rows: [["x".repeat(2 ** 20)]], intervals: {} };
    const held = answers.hold(wide, () => undefined);
    const answer = ask("1");
    await settled();
    expect(begun).toEqual([]);
    expect(admission.counts.answerBytes).toBeGreaterThan(2 ** 20);
    held.release();
    held.release();
    await settled();
    expect(begun).toEqual(["1"]);
    expect(admission.counts.answerBytes).toBe(0);
    await end("1");
    expect(await answer).toBe("1");
    answers.hold(wide, () => undefined);
    const late = ask("2", { deadline: performance.now() + 20 });
    await expect(late).rejects.toMatchObject({
      code: "overloaded",
      message: expect.stringContaining("answerMemory"),
    });
  });

  test("work that only waits gives its place back, once", async () => {
    const admission = new Admission(
      { queriesRunning: 1, queriesWaiting: 10, queueWaitMs: 60_000, answerMemory: 1 },
      () => performance.now(),
      new AnswerPool(2 ** 20, () => performance.now()),
    );
    const demand = {
      ...{ client: "a", cost: heavyCost, deadline: performance.now() + 60_000 },
      signal: new StopController().signal,
    };
    const begun: string[] = [];
    let end = (): void => undefined;
    const first = admission.run(demand, (giveBack) => {
      giveBack();
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    const others = ["second", "third"].map((name) =>
      admission.run(demand, async () => {
        begun.push(name);
        await settled();
        expect(admission.counts.running).toBe(1);
      }),
    );
    await settled();
    end();
    await Promise.all([first, ...others]);
    expect(begun).toEqual(["second", "third"]);
    expect(admission.counts).toEqual({ running: 0, waiting: 0, refused: 0, answerBytes: 0 });
  });

  test("a light one has a place of its own beside heavy ones, and not more than one", async () => {
    const { begun, ask, end } = createWorld();
    for (const name of ["1", "2", "3"]) void ask(name);
    for (const name of ["light 1", "light 2"]) void ask(name, { cost: 10 });
    await settled();
    expect(begun).toEqual(["1", "2", "light 1"]);
    await end("light 1");
    expect(begun).toEqual(["1", "2", "light 1", "light 2"]);
  });
});

describe("whose turn it is", () => {
  test("the client with the fewest running comes first, then the lightest", async () => {
    const { begun, ask, end } = createWorld();
    for (const name of ["a1", "a2", "a3", "a4"]) void ask(name, { client: "a" });
    void ask("b heavy", { client: "b", cost: 9 * heavyCost });
    void ask("b less", { client: "b", cost: 3 * heavyCost });
    await end("a1");
    expect(begun.at(-1)).toBe("b less");
    await end("a2");
    // Each has one running: the lightest of all.
    expect(begun.at(-1)).toBe("a3");
  });

  test("an address with many names has no more turns than others", async () => {
    const { begun, ask, end } = createWorld();
    for (const name of ["a1", "a2", "a3", "a4"]) void ask(name, { client: `a ${name}` });
    void ask("b", { client: "b", cost: 9 * heavyCost });
    void ask("a1 again", { client: "a a1" });
    await end("a1");
    expect(begun.at(-1)).toBe("b");
    await end("b");
    // Of one address the name that has none running.
    expect(begun.at(-1)).toBe("a3");
  });

  test("a person has no more turns than another, and within them each address has its own", async () => {
    const { begun, ask, end } = createWorld();
    for (const name of ["a1", "a2"]) void ask(name, { client: "user:a ::1 s" });
    void ask("a, same address", { client: "user:a ::1 other" });
    void ask("a, other address", { client: "user:a ::2 s", cost: 2 * heavyCost });
    void ask("b", { client: "user:b ::1 s", cost: 9 * heavyCost });
    await end("a1");
    expect(begun.at(-1)).toBe("b");
    await end("b");
    expect(begun.at(-1)).toBe("a, other address");
  });

  test("no client takes all places: a light query of another begins at once, one of them", async () => {
    const { begun, ask } = createWorld();
    for (const name of ["1", "2", "3", "4"]) void ask(name, { client: `a ${name}`, cost: 10 });
    await settled();
    expect(begun).toEqual(["1", "2", "3"]);
    void ask("heavy", { client: "b" });
    for (const name of ["b1", "b2"]) void ask(name, { client: "b", cost: 10 });
    await settled();
    expect(begun).toEqual(["1", "2", "3", "b1"]);
  });

  test("those of one client who waited for half of their time do not keep another waiting", async () => {
    let nowMs = 0;
    const { begun, ask, end } = createWorld({ queueWaitMs: 10_000 }, () => nowMs);
    for (const name of ["a1", "a2", "a3", "a4"]) void ask(name, { client: "a" });
    nowMs = 6_000;
    void ask("b", { client: "b" });
    await end("a1");
    expect(begun).toEqual(["a1", "a2", "b"]);
  });

  test("that thousands wait does not make each of them wait for all others to be looked at", async () => {
    const waiting = 5_000;
    const { admission, ask, begun, end } = createWorld({ queriesWaiting: waiting });
    for (let i = 0; i < 2 + waiting; i++) void ask(String(i));
    await settled();
    expect(admission.counts).toEqual({ running: 2, waiting, refused: 0, answerBytes: 0 });
    for (let i = 0; i < 10; i++) await end(String(i));
    expect(begun).toEqual(Array.from({ length: 12 }, (_, i) => String(i)));
  });

  test("of clients with as many running, one that has waited for half of its time comes first", async () => {
    let nowMs = 0;
    const admission = new Admission(
      { queriesRunning: 1, queriesWaiting: 10, queueWaitMs: 10_000, answerMemory: 1 },
      () => nowMs,
      new AnswerPool(2 ** 20, () => nowMs),
    );
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => (): Promise<void> =>
      new Promise((resolve) => {
        begun.push(name);
        ends.push(resolve);
      });
    const ask = (name: string, cost: number): void => {
      const { signal } = new StopController();
      admission
        .run({ client: name, cost, deadline: 60_000, signal }, work(name))
        .catch(() => undefined);
    };
    ask("first", heavyCost);
    ask("old and heavy", 100 * heavyCost);
    nowMs = 5_001;
    ask("new and less", 2 * heavyCost);
    await settled();
    ends[0]?.();
    await settled();
    expect(begun).toEqual(["first", "old and heavy"]);
  });
});

describe("refused", () => {
  test("at once when the queue is full, and counted", async () => {
    const { admission, ask } = createWorld({ queriesRunning: 1, queriesWaiting: 1 });
    void ask("1");
    void ask("2");
    const refused = ask("3");
    await expect(refused).rejects.toMatchObject({ code: "overloaded", status: 429, retry: true });
    await expect(refused).rejects.toThrow("queriesWaiting");
    expect(admission.counts).toEqual({ running: 1, waiting: 1, refused: 1, answerBytes: 0 });
  });

  test("when its time is over before there was a place", async () => {
    const { admission, begun, ask } = createWorld({ queriesRunning: 1 });
    void ask("1");
    await expect(ask("2", { deadline: performance.now() + 30 })).rejects.toMatchObject({
      code: "overloaded",
    });
    const { ask: askShort, begun: begunShort } = createWorld({
      queriesRunning: 1,
      queueWaitMs: 30,
    });
    void askShort("1");
    await expect(askShort("2")).rejects.toMatchObject({ code: "overloaded" });
    expect([begun, begunShort]).toEqual([["1"], ["1"]]);
    expect(admission.counts.waiting).toBe(0);
  });

  test("as cancelled when no one waits for it any more", async () => {
    const { admission, ask } = createWorld({ queriesRunning: 1 });
    void ask("1");
    const controller = new StopController();
    const left = ask("2", { signal: controller.signal });
    controller.abort();
    await expect(left).rejects.toMatchObject({ code: "cancelled" });
    expect(admission.counts).toEqual({ running: 1, waiting: 0, refused: 0, answerBytes: 0 });
  });
});

describe("too little memory", () => {
  test("beside others it waits until it is alone, and no later one passes it", async () => {
    const { begun, ask, end } = createWorld();
    const answer = ask("large");
    void ask("other");
    await end("large", tooLittle());
    void ask("later", { cost: 1 });
    await settled();
    expect(begun).toEqual(["large", "other"]);
    await end("other");
    expect(begun).toEqual(["large", "other", "large"]);
    await end("large");
    expect(await answer).toBe("large");
    expect(begun.at(-1)).toBe("later");
  });

  test("one that waits in vain to be alone lets those behind it go on", async () => {
    const { begun, ask, end } = createWorld();
    const answer = ask("large", { deadline: performance.now() + 100 });
    void ask("other");
    await end("large", tooLittle());
    void ask("later", { cost: 1 });
    await expect(answer).rejects.toMatchObject({ code: "overloaded" });
    await settled();
    expect(begun).toEqual(["large", "other", "later"]);
  });

  test("alone it is refused for its size", async () => {
    const { ask, end } = createWorld();
    const alone = ask("large");
    await end("large", tooLittle());
    await expect(alone).rejects.toMatchObject({ code: "query-memory" });
  });

  test("alone at the second try it is refused for its size", async () => {
    const { ask, end } = createWorld();
    const large = ask("large");
    void ask("other");
    await end("large", tooLittle());
    await end("other");
    await end("large", tooLittle());
    await expect(large).rejects.toMatchObject({ code: "query-memory" });
  });
});
