import { once } from "node:events";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPeer, type Peer } from "../client/testing/peer.js";
import { pinoTransport } from "./pinoTransport.js";

let peer: Peer;

beforeEach(async () => {
  peer = await createPeer();
  peer.answer = ({ body }) => {
    const accepted = body.trim().split("\n").length;
    return {
      status: 200,
      body: { batchId: "b", accepted, rejected: 0, problems: [], ack: "durable" },
    };
  };
});

afterEach(() => peer.close());

async function send(bytes: Buffer, pieceBytes: number): Promise<readonly unknown[]> {
  const stream = pinoTransport({ url: peer.url, table: "logs", token: "hdl_x", batchMs: 10 });
  for (let at = 0; at < bytes.length; at += pieceBytes)
    stream.write(bytes.subarray(at, at + pieceBytes));
  stream.end();
  await once(stream, "close");
  const rows = peer.requests.flatMap(({ body }) => body.trim().split("\n"));
  return rows.map((row) => JSON.parse(row));
}

test.each([1, 5, 1_000])(
  "a line is a row, whatever pieces it comes in (%d bytes)",
  async (pieceBytes) => {
    const lines = [
      { level: 30, time: 1, msg: "grün" },
      { level: 35, time: 2, msg: "own level" },
      { level: 50, severity: "mine", time: 3, err: { type: "Error", stack: "a\nb" } },
    ];
    const text = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n\nno JSON\n{"time":4}`;
    const rows = await send(Buffer.from(text), pieceBytes);
    expect(rows).toEqual([{ severity: "info", ...lines[0] }, lines[1], lines[2], { time: 4 }]);
    expect(peer.requests[0]).toMatchObject({ path: "/api/v1/tables/logs/rows" });
    expect(peer.requests[0]?.headers.authorization).toBe("Bearer hdl_x");
  },
);

test("pino writes to it", async () => {
  const stream = pinoTransport({ url: peer.url, table: "logs", batchMs: 1 });
  const logger = pino({ base: null }, stream);
  logger.info({ user: { id: 9 } }, "hello");
  logger.error(new Error("failed"));
  stream.end();
  await once(stream, "close");
  const rows = peer.requests.flatMap(({ body }) => body.trim().split("\n"));
  expect(rows.map((row) => JSON.parse(row))).toMatchObject([
    { severity: "info", level: 30, time: expect.any(Number), msg: "hello", user: { id: 9 } },
    { severity: "error", level: 50, msg: "failed", err: { type: "Error" } },
  ]);
});

test("it takes no more while too many rows wait, and loses none", async () => {
  const answer = peer.answer;
  let refused = 0;
  peer.answer = (request) =>
    refused++ < 2
      ? { status: 503, body: { code: "unavailable", detail: "away" } }
      : answer(request);
  const stream = pinoTransport({ url: peer.url, table: "logs", pendingRowsMax: 2, batchMs: 1 });
  let isHeldBack = false;
  for (let time = 1; time <= 500; time++) {
    const takesMore = stream.write(`${JSON.stringify({ time, msg: "x".repeat(100) })}\n`);
    isHeldBack ||= !takesMore;
  }
  stream.end();
  await once(stream, "close");
  expect(isHeldBack).toBe(true);
  const stored = peer.requests.slice(2).flatMap(({ body }) => body.trim().split("\n"));
  const times: number[] = stored.map((row) => JSON.parse(row).time);
  expect(times.sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, i) => i + 1));
}, 20_000);
