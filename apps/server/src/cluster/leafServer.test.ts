import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { encodeFrame } from "./frame.js";
import { protocolVersion, wrongKeyCloseCode } from "./leafProtocol.js";
import { append, connect, connected, key, startServer } from "./testing/leafEnds.js";

describe("who may connect", () => {
  test.each([
    ["a wrong key", encodeFrame({ kind: "hello", key: "guess", clientId: "x" })],
    ["no hello first", encodeFrame({ kind: "status", id: 1 })],
  ])("%s is closed with 4401", async (_, message) => {
    const server = await startServer();
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}`);
    const closed = new Promise<number>((resolve) => socket.on("close", resolve));
    socket.on("open", () => socket.send(message));
    expect(await closed).toBe(wrongKeyCloseCode);
  });

  test("silence and nonsense are closed too", async () => {
    const server = await startServer();
    const address = `ws://127.0.0.1:${server.port}`;
    const silent = new WebSocket(address);
    const nonsense = new WebSocket(address);
    nonsense.on("open", () => nonsense.send("hello?"));
    const codes = [silent, nonsense].map(
      (socket) => new Promise<number>((resolve) => socket.on("close", resolve)),
    );
    expect(await Promise.all(codes)).toEqual([1006, 1002]);
  });

  test("a client that sends much before it is admitted is cut off, whole frames or not", async () => {
    const server = await startServer({}, [], { helloMs: 600_000 });
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}`);
    const closed = new Promise<number>((resolve) => socket.on("close", resolve));
    socket.on("error", () => {});
    // The frame never ends: nothing else would close the connection for minutes.
    const piece = new Uint8Array(40_000);
    socket.on("open", () => {
      for (let i = 0; i < 3; i++) socket.send(piece, { fin: false });
    });
    expect(await closed).toBe(1006);
    const connection = await connected();
    const long = new Uint8Array(3_000_000);
    const { header } = await connection.request(append, long, { timeoutMs: 4_000 });
    expect(header).toMatchObject({ kind: "appended", rowCount: 3_000_000 });
  });

  test("a connection with a wrong key counts as dead", async () => {
    const server = await startServer();
    const { until } = connect(() => `127.0.0.1:${server.port}`, { key: "guess" });
    await until("dead");
  });

  test("a client's newer connection ends its older one", async () => {
    const server = await startServer();
    const hello = encodeFrame({ kind: "hello", key, clientId: "same", protocol: protocolVersion });
    const open = (): WebSocket => {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}`);
      socket.on("open", () => socket.send(hello));
      return socket;
    };
    const older = open();
    const olderClosed = new Promise((resolve) => older.on("close", resolve));
    await new Promise((resolve) => older.on("message", resolve));
    const newer = open();
    await new Promise((resolve) => newer.on("message", resolve));
    await olderClosed;
    expect(newer.readyState).toBe(WebSocket.OPEN);
    newer.terminate();
  });
});
