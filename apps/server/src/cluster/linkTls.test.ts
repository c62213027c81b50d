import { describe, expect, test } from "vitest";
import type { LeafState } from "./leafConnection.js";
import { append, connect, startProxy, startServer } from "./testing/leafEnds.js";

const tls = true;
const rows = new TextEncoder().encode("rows that no one on the way may read ".repeat(100));

describe("an encrypted link", () => {
  test("carries requests and answers, and not as they are", async () => {
    const server = await startServer({}, [], { tls });
    const wire = await startProxy(server.port);
    const { connection, until } = connect(() => `127.0.0.1:${wire.port}`, { tls });
    await until("alive");
    const { header } = await connection.request(append, rows, { timeoutMs: 4_000 });
    expect(header).toMatchObject({ kind: "appended", rowCount: rows.length });
    const passed = wire.passed();
    expect(passed.length).toBeGreaterThan(rows.length);
    expect(passed.includes("no one on the way")).toBe(false);
  });

  test.each([
    ["with another key", { tls, key: "guess" }],
    ["without encryption", { tls: false }],
  ])("is refused %s", async (_, options) => {
    const server = await startServer({}, [], { tls });
    const states: LeafState[] = [];
    const { until } = connect(() => `127.0.0.1:${server.port}`, { ...options, states });
    await until("dead");
    expect(states).not.toContain("alive");
  });

  test("is not offered to a server that does not encrypt", async () => {
    const server = await startServer();
    const { until } = connect(() => `127.0.0.1:${server.port}`, { tls });
    await until("dead");
  });
});
