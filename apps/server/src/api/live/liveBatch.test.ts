import { HadalError, type Query } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { withPeer } from "../testing/livePeer.js";
import { resultOf, untilCancelled } from "../testing/startApi.js";

const tileQuery = (table: string): Query => ({ table, from: 0, to: 1 });
const tiles = (names: readonly string[]) => names.map((tile) => ({ tile, query: tileQuery(tile) }));
const tableOf = (query: unknown): string => (query as Query).table;
const batch = { kind: "batch", id: "d1", everyMs: null };

/** Answers that the test gives out, one after the other. */
function answeredByHand() {
  const asked: string[] = [];
  const waiting = new Map<string, () => void>();
  return {
    asked,
    waiting,
    ask: async (query: unknown) => {
      asked.push(tableOf(query));
      await new Promise<void>((resolve) => waiting.set(tableOf(query), resolve));
      return resultOf([[1]]);
    },
  };
}

describe("a batch", () => {
  it("answers each tile with partials that are numbered for themselves", () =>
    withPeer(
      async (query, { onPartial }) => {
        onPartial?.(resultOf([[0]], { final: false }));
        if (tableOf(query) === "b")
          throw new HadalError("unknown-table", { table: "b", nearest: "" });
        return resultOf([[1]]);
      },
      async (peer) => {
        peer.send({ ...batch, queries: tiles(["a", "b"]) });
        await peer.frameCount(4);
        const seen = peer.frames.map(({ kind, id, tile, seq }) => [kind, id, tile, seq]);
        expect(seen).toEqual(
          expect.arrayContaining([
            ["partial", "d1", "a", 1],
            ["final", "d1", "a", 2],
            ["partial", "d1", "b", 1],
            ["problem", "d1", "b", undefined],
          ]),
        );
      },
    ));

  it("asks some tiles at once, and of the others those first that come into view", () => {
    const { ask, asked, waiting } = answeredByHand();
    const names = Array.from({ length: 20 }, (_, i) => `t${i}`);
    return withPeer(ask, async (peer) => {
      peer.send({ ...batch, queries: tiles(names) });
      while (asked.length < 16) await new Promise(setImmediate);
      expect(asked).toEqual(names.slice(0, 16));
      peer.send({ kind: "priority", id: "d1", tiles: ["t19", "t17"] });
      // An answer to something else shows that the priority was read.
      peer.send({ kind: "query", id: "", query: {} });
      await peer.frameCount(1);
      for (const name of names.slice(0, 7)) waiting.get(name)?.();
      await peer.frameCount(8);
      expect(asked.length).toBe(16);
      // Half of the places are free: the next ones begin together.
      waiting.get("t9")?.();
      await peer.frameCount(9);
      while (asked.length < 20) await new Promise(setImmediate);
      expect(asked.slice(16)).toEqual(["t19", "t17", "t16", "t18"]);
    });
  });

  it("is asked again when all tiles are answered, until it is cancelled", () => {
    let count = 0;
    return withPeer(
      async () => resultOf([[++count]]),
      async (peer) => {
        peer.send({ ...batch, everyMs: 250, queries: tiles(["a", "b"]) });
        await peer.frameCount(6);
        const seen = peer.frames.map(({ tile, seq }) => `${tile} ${seq}`);
        expect(seen.toSorted()).toEqual(["a 1", "a 2", "a 3", "b 1", "b 2", "b 3"]);
        peer.send({ kind: "cancel", id: "d1" });
        peer.send({ kind: "query", id: "q", query: tileQuery("q") });
        await peer.frameCount(7);
        expect(peer.frames[6]).toMatchObject({ id: "q" });
      },
    );
  });

  it("asks all tiles of a round for answers of one moment or later", () => {
    const floors: (number | undefined)[] = [];
    let asOf = 0;
    return withPeer(
      async (_, { floor, session }) => {
        floors.push(floor);
        return session.give({ ...resultOf([[1]]), asOf: ++asOf }, 0);
      },
      async (peer) => {
        peer.send({ ...batch, everyMs: 250, queries: tiles(["a", "b"]) });
        await peer.frameCount(4);
        expect(floors.slice(0, 4)).toEqual([floors[0], floors[0], 2, 2]);
      },
    );
  });

  it("stops what runs when it is cancelled", () => {
    let cancelled = 0;
    let running = 0;
    return withPeer(
      async (_, { signal }) => {
        running++;
        return untilCancelled(signal).finally(() => cancelled++);
      },
      async (peer) => {
        peer.send({ ...batch, queries: tiles(["a", "b", "c"]) });
        while (running < 3) await new Promise(setImmediate);
        peer.send({ kind: "cancel", id: "d1" });
        while (cancelled < 3) await new Promise(setImmediate);
        expect(peer.frames).toEqual([]);
      },
    );
  });

  it("gives a tile ten seconds unless its query says otherwise", () => {
    const given: unknown[] = [];
    return withPeer(
      async (query) => {
        given.push((query as Query).timeoutMs);
        return resultOf([[1]]);
      },
      async (peer) => {
        const own = { tile: "own", query: { ...tileQuery("own"), timeoutMs: 500 } };
        peer.send({ ...batch, queries: [...tiles(["a"]), own] });
        await peer.frameCount(2);
        expect(given).toEqual([10_000, 500]);
      },
    );
  });

  it("a tile that cannot be read is its own problem; a batch that is none is refused whole", () =>
    withPeer(
      async () => resultOf([[1]]),
      async (peer) => {
        peer.send({ ...batch, queries: [...tiles(["a"]), { tile: "b", sql: "SELEC" }] });
        await peer.frameCount(2);
        expect(peer.frames).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ kind: "final", tile: "a" }),
            expect.objectContaining({
              ...{ kind: "problem", tile: "b" },
              problem: expect.objectContaining({ code: "invalid-sql" }),
            }),
          ]),
        );
        const wrong = [
          [],
          tiles(["a", "a"]),
          [{ query: {} }],
          "x",
          Array(501).fill(tiles(["a"])[0]),
        ];
        for (const queries of wrong) peer.send({ ...batch, id: "w", queries });
        await peer.frameCount(2 + wrong.length);
        for (const frame of peer.frames.slice(2)) {
          expect(frame).toMatchObject({ id: "w", problem: { code: "bad-request" } });
          expect(frame).not.toHaveProperty("tile");
        }
      },
    ));
});
