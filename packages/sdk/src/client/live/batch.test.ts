import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { HadalError } from "../../model/problem/problem.js";
import type { Query } from "../../model/query.js";
import { createClient } from "../createClient.js";
import type { HadalClient } from "../hadalClient.js";
import { answerFrame, createPeer, type Peer } from "../testing/peer.js";

const query: Query = { table: "requests", from: "-1h", to: "now" };
const tiles = ["a", "b", "c"].map((tile) => ({ tile, query }));
let peer: Peer;
let client: HadalClient;

beforeEach(async () => {
  peer = await createPeer();
  client = createClient({ url: peer.url, webSocket: WebSocket });
});
afterEach(async () => {
  client.close();
  await peer.close();
});

/** Resolves with the answers and problems when this many came. */
function heard(count: number) {
  const all: unknown[] = [];
  let done = (_: unknown[]): void => undefined;
  const until = new Promise<unknown[]>((resolve) => {
    done = resolve;
  });
  const hear = (one: unknown): void => {
    if (all.push(one) === count) done(all);
  };
  return {
    until,
    onResult: (tile: string, result: { rows: unknown }) => hear([tile, result.rows]),
    onProblem: (tile: string, problem: HadalError) => hear([tile, problem.code]),
  };
}

test("each tile has its answers and its problem", async () => {
  const problem = new HadalError("unknown-table", { table: "x", nearest: "" }).toProblem();
  peer.onFrame = ({ id }, send) => {
    send({ ...answerFrame("partial", id, 1, 1), tile: "a" });
    send({ kind: "problem", id, tile: "b", problem });
    send({ ...answerFrame("final", id, 2, 2), tile: "a" });
  };
  const { until, ...listeners } = heard(3);
  client.batch(tiles, listeners);
  expect(await until).toEqual([
    ["a", [[1]]],
    ["b", "unknown-table"],
    ["a", [[2]]],
  ]);
});

test("a refused batch is a problem of every tile", async () => {
  const problem = new HadalError("overloaded", { detail: "" }).toProblem();
  peer.onFrame = ({ id }, send) => send({ kind: "problem", id, problem });
  const { until, ...listeners } = heard(3);
  client.batch(tiles, listeners);
  expect(await until).toEqual(tiles.map(({ tile }) => [tile, "overloaded"]));
});

test("tiles in view go first, also on a new connection", async () => {
  const { until, ...listeners } = heard(1);
  const asked: unknown[] = [];
  peer.onFrame = (frame, send, socket) => {
    if (frame.kind === "batch") asked.push(frame.queries.map(({ tile }) => tile));
    if (frame.kind === "priority") asked.push(frame.tiles);
    // Lost once, when the priority is known.
    if (frame.kind === "priority") socket.terminate();
    else if (asked.length === 1) send({ ...answerFrame("partial", frame.id, 1, 1), tile: "a" });
    else send({ ...answerFrame("final", frame.id, 1, 1), tile: "b" });
  };
  const second = heard(2);
  const batch = client.batch(tiles, {
    ...listeners,
    onResult: (tile, result) => {
      listeners.onResult(tile, result);
      second.onResult(tile, result);
    },
  });
  await until;
  batch.prioritize(["c", "b"]);
  await second.until;
  expect(asked).toEqual([
    ["a", "b", "c"],
    ["c", "b"],
    ["c", "b", "a"],
  ]);
});
