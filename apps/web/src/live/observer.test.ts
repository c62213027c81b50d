import { HadalError, type LiveOptions, type Query, type Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { createLiveObserver } from "./observer.js";

const query = (table: string): Query => ({ table, from: "-3h", to: "now" });
const result = (count: number, final: boolean): Result => ({
  columns: [{ name: "count", type: "int", role: "aggregate" }],
  rows: [[count]],
  completeness: {
    fraction: final ? 1 : 0.5,
    rowsExpected: 2,
    rowsAnswered: final ? 2 : 1,
    leaves: { answered: 1, total: 2, missing: [] },
  },
  intervals: {},
  asOf: 0,
  final,
  truncated: null,
  stats: {
    rowsScanned: 0,
    rowsMatched: 0,
    bytesScanned: 0,
    segments: 0,
    segmentsSkipped: 0,
    cache: "miss",
    elapsedMs: 0,
    scanMs: 0,
    mergeMs: 0,
  },
});

/** The server side of a client: records queries and answers them. */
function createPeer() {
  const asked: { query: Query; options: LiveOptions; stopped: boolean }[] = [];
  const live = (asking: Query, options: LiveOptions = {}) => {
    const question = { query: asking, options, stopped: false };
    asked.push(question);
    return {
      stop: () => {
        question.stopped = true;
      },
      async *[Symbol.asyncIterator]() {},
    };
  };
  return { asked, live };
}

function start() {
  const peer = createPeer();
  const observer = createLiveObserver<string>(peer);
  const shown = () => observer.getSnapshot().answer?.result.rows[0]?.[0];
  const ask = (table: string, everyMs: number | null = null) =>
    void observer.ask({ query: query(table), subject: table, everyMs });
  return { peer, observer, shown, ask };
}

describe("live observer", () => {
  test("partials replace each other until the final", () => {
    const { peer, observer, shown, ask } = start();
    ask("a");
    expect(observer.getSnapshot().waiting).toBe(true);
    peer.asked[0]?.options.onResult?.(result(1, false));
    expect([shown(), observer.getSnapshot().streaming]).toEqual([1, true]);
    peer.asked[0]?.options.onResult?.(result(2, false));
    peer.asked[0]?.options.onResult?.(result(3, true));
    expect([shown(), observer.getSnapshot().streaming]).toEqual([3, false]);
  });

  test("the old answer stays, with its own subject, until the first of the new", () => {
    const { peer, observer, shown, ask } = start();
    ask("a");
    peer.asked[0]?.options.onResult?.(result(3, true));
    ask("b");
    expect(observer.getSnapshot()).toMatchObject({ waiting: true, answer: { subject: "a" } });
    expect(peer.asked[0]?.stopped).toBe(true);
    peer.asked[0]?.options.onResult?.(result(9, true));
    expect(shown()).toBe(3);
    peer.asked[1]?.options.onResult?.(result(4, false));
    expect(observer.getSnapshot()).toMatchObject({ waiting: false, answer: { subject: "b" } });
  });

  test("a refresh of the same question shows whole answers only", () => {
    const { peer, shown, ask } = start();
    ask("a", 5_000);
    expect(peer.asked[0]?.options.everyMs).toBe(5_000);
    peer.asked[0]?.options.onResult?.(result(10, true));
    peer.asked[0]?.options.onResult?.(result(5, false));
    expect(shown()).toBe(10);
    peer.asked[0]?.options.onResult?.(result(11, true));
    expect(shown()).toBe(11);
  });

  test("the same question asked again leaves its answer as it is, and says that it is asked", () => {
    const { peer, observer, ask } = start();
    ask("a");
    peer.asked[0]?.options.onResult?.(result(10, true));
    expect(observer.getSnapshot()).toMatchObject({ asking: false, waiting: false });
    ask("a");
    expect(observer.getSnapshot()).toMatchObject({ asking: true, waiting: false });
    peer.asked[1]?.options.onResult?.(result(5, false));
    expect(observer.getSnapshot()).toMatchObject({ asking: true, waiting: false });
    peer.asked[1]?.options.onResult?.(result(11, true));
    expect(observer.getSnapshot()).toMatchObject({ asking: false, streaming: false });
    ask("a");
    observer.refuse(new HadalError("time-range-missing"));
    expect(observer.getSnapshot().asking).toBe(false);
    ask("a");
    observer.stop();
    expect(observer.getSnapshot().asking).toBe(false);
  });

  test("a part that nothing follows is no whole answer: parts of the same question asked again are shown", () => {
    const { peer, observer, shown, ask } = start();
    const ends = [
      () => observer.stop(),
      () => peer.asked.at(-1)?.options.onProblem?.(new HadalError("connection-lost")),
      () => observer.refuse(new HadalError("time-range-missing")),
    ];
    ends.forEach((end, i) => {
      ask("a");
      expect(observer.getSnapshot().waiting).toBe(true);
      peer.asked.at(-1)?.options.onResult?.(result(i, false));
      expect(shown()).toBe(i);
      end();
      expect(observer.getSnapshot()).toMatchObject({ asking: false, streaming: false });
    });
  });

  test("a problem leaves the old answer, the next answer clears it", () => {
    const { peer, observer, shown, ask } = start();
    ask("a", 5_000);
    peer.asked[0]?.options.onResult?.(result(10, true));
    peer.asked[0]?.options.onProblem?.(new HadalError("no-leaves", { missing: "leaf-0" }));
    expect([shown(), observer.getSnapshot().problem?.code]).toEqual([10, "no-leaves"]);
    peer.asked[0]?.options.onResult?.(result(11, true));
    expect(observer.getSnapshot().problem).toBeNull();
  });

  test("who stands beside an answer is asked when that is first heard of, also by a part that is not shown", async () => {
    const { peer, observer } = start();
    const beside = createLiveObserver<string>(peer);
    for (const [asked, sent] of [
      [0, result(3, true)],
      // The same query: the complete result stays.
      [2, result(1, false)],
      [4, new HadalError("no-leaves", { missing: "leaf-0" })],
    ] as const) {
      const after = observer.ask({ query: query("a"), subject: `a${asked}`, everyMs: null });
      void beside.ask({ query: query("b"), subject: `b${asked}`, everyMs: null, after });
      await Promise.resolve();
      expect(peer.asked.slice(asked).map(({ query: { table } }) => table)).toEqual(["a"]);
      const { options } = peer.asked[asked]!;
      if (sent instanceof HadalError) options.onProblem?.(sent);
      else options.onResult?.(sent);
      await after;
      expect(peer.asked.slice(asked).map(({ query: { table } }) => table)).toEqual(["a", "b"]);
    }
  });

  test("what waits to be asked is not asked once it is stopped, and its old answer is the new subject's at once", async () => {
    const { peer, observer, ask } = start();
    ask("a");
    peer.asked[0]?.options.onResult?.(result(3, true));
    let go = (): void => undefined;
    const after = new Promise<void>((resolve) => {
      go = resolve;
    });
    const heard = observer.ask({ query: query("a"), subject: "again", everyMs: null, after });
    expect(observer.getSnapshot()).toMatchObject({ waiting: false, answer: { subject: "again" } });
    observer.stop();
    go();
    await heard;
    await after;
    expect(peer.asked).toHaveLength(1);
  });

  test("what cannot be asked stops what runs", () => {
    const { peer, observer, ask } = start();
    ask("a");
    observer.refuse(new HadalError("time-range-missing"));
    expect(peer.asked[0]?.stopped).toBe(true);
    expect(observer.getSnapshot()).toMatchObject({ waiting: false, answer: null });
  });
});
