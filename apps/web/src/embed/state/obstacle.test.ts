import { type EmbedSelf, HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import { initialState } from "../../query/state/exploreState.js";
import type { ChartSnapshot } from "./chartStore.js";
import { obstacleOf } from "./obstacle.js";

const inputs: ChartSnapshot["inputs"] = {
  ...{ src: "https://hadal.example", token: "t", query: null, view: null, theme: "auto" },
  ...{ timeZone: null, live: false, fault: null, embedId: null },
};
const state = { ...initialState("requests"), view: "bar" };
const self = { id: "e1", kid: "k1", views: ["bar"] } as unknown as EmbedSelf;
const framed = (embedId: string) => ({ inputs: { ...inputs, embedId } });
const shown = { inputs, self, refusal: null, state };
const lost = new HadalError("connection-lost");
const expired = new HadalError("unauthenticated");

test.each([
  ["all is well", {}, null],
  ["not known yet", { self: null }, null],
  ["a fault of the host", { inputs: { ...inputs, fault: "No src." } }, "No src."],
  ["an expired token", { refusal: expired }, expired.message],
  ["no token", { inputs: { ...inputs, token: null }, refusal: expired, self: null }, /token/],
  ["a lost connection at first", { self: null, refusal: lost }, lost.message],
  ["a lost connection later", { refusal: lost }, null],
  ["no query", { state: null }, /query/],
  ["the frame of its embed", framed("e1"), null],
  ["the frame of its host's key", { ...framed("k1"), self: { ...self, id: null } }, null],
  ["the frame of another embed", framed("e2"), /another chart/],
  ["the frame of the server's key", framed("k1"), /another chart/],
  ["another view", { state: { ...state, view: "pie" } }, /pie/],
])("%s", (_, part, message) => {
  const found = obstacleOf({ ...shown, ...part })?.message ?? null;
  if (message instanceof RegExp) expect(found).toMatch(message);
  else expect(found).toBe(message);
});
