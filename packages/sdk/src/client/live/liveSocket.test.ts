import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Query } from "../../model/query.js";
import { signedOutCode } from "../../wire/routes.js";
import { createClient } from "../createClient.js";
import type { HadalClient } from "../hadalClient.js";
import { answerFrame, createPeer, type Peer } from "../testing/peer.js";

const query: Query = { table: "requests", from: "-1h", to: "now" };
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

test("a socket that ends with the session is no lost connection, and the next query opens another", async () => {
  peer.onFrame = ({ id }, _send, socket) => {
    if (peer.connections.length === 1) socket.close(signedOutCode);
    else socket.send(JSON.stringify(answerFrame("final", id, 1, 7)));
  };
  const codes: string[] = [];
  const ended = new Promise<void>((resolve) => {
    client.live(query, {
      everyMs: 1_000,
      onProblem: ({ code }) => {
        codes.push(code);
        if (code === "unauthenticated") resolve();
      },
    });
  });
  await ended;
  expect(codes).toEqual(["unauthenticated"]);
  expect((await client.query(query)).rows).toEqual([[7]]);
  expect(peer.connections).toHaveLength(2);
});
