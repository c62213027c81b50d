import { type EmbedSelf, HadalError, type HadalReader } from "@hadal/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Connection, Connections, type ConnectionUser, pageAccess } from "./connection.js";

const self: EmbedSelf = {
  ...{
    id: null,
    kid: "k",
    title: "",
    table: "requests",
    views: [],
    groupBy: [],
    hiddenColumns: [],
  },
  ...{ rangeMsMax: 1, query: null, view: null, expiresMs: 0, mayOpen: false, columns: [] },
};
const refused = () => new HadalError("unauthenticated");

const page = { isReachable: async () => true, origin: () => "https://host.example" };

interface FakeClient {
  readonly token: string | null;
  isClosed: boolean;
}

/** Connections over clients that know when each token ends; a token that is not known is refused. */
function open(ends: Readonly<Record<string, number>>) {
  const clients: FakeClient[] = [];
  const createClient = ({ token }: { readonly token: string | null }): HadalReader => {
    const client: FakeClient = { token, isClosed: false };
    clients.push(client);
    const expiresMs = ends[token ?? ""];
    return {
      embeds: {
        self: async () => {
          if (expiresMs === undefined) throw refused();
          return { ...self, expiresMs };
        },
      },
      close: () => {
        client.isClosed = true;
      },
    } as unknown as HadalReader;
  };
  const connections = new Connections({ createClient, ...page });
  return {
    clients,
    connect: (token: string) => connections.open({ src: "https://hadal.example", token }),
  };
}

/** A chart that follows its connection, with the tokens that its page gives. */
function chart(first: Connection, tokens: readonly (string | null | Error)[] = []) {
  const seen = { expiring: [] as number[], asked: 0, connection: first };
  const user: ConnectionUser = {
    onExpiring: (expiresMs) => void seen.expiring.push(expiresMs),
    renewToken() {
      const next = tokens[seen.asked] ?? null;
      seen.asked += 1;
      if (next === null) return null;
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
    moveTo(next) {
      seen.connection.leave(user);
      seen.connection = next;
      next.join(user);
    },
  };
  first.join(user);
  return { seen, leave: () => seen.connection.leave(user) };
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

test("charts with one server and token share a client, which closes when the last one left", async () => {
  const { clients, connect } = open({ a: 1e9 });
  const charts = [chart(connect("a")), chart(connect("a"))];
  expect(clients).toHaveLength(1);
  charts[0]!.leave();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(clients[0]!.isClosed).toBe(false);
  charts[1]!.leave();
  await vi.advanceTimersByTimeAsync(1_000);
  // A chart that is moved within the page keeps it.
  const back = chart(connect("a"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(clients[0]!.isClosed).toBe(false);
  back.leave();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(clients[0]!.isClosed).toBe(true);
  chart(connect("a"));
  expect(clients).toHaveLength(2);
});

test("a connection that no chart joins closes", async () => {
  const { clients, connect } = open({ a: 1e9 });
  connect("a");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(clients[0]!.isClosed).toBe(true);
});

test("what is read after the last chart left is not renewed", async () => {
  const { connect } = open({ a: 600_000 });
  const { leave } = chart(connect("a"));
  const connection = connect("a");
  leave();
  await vi.advanceTimersByTimeAsync(60_000);
  const before = vi.getTimerCount();
  await connection.self();
  expect(vi.getTimerCount()).toBe(before);
});

test("a connection says what its token is for", () => {
  const { connect } = open({});
  expect(connect("a").scope).toBe(connect("a").scope);
  expect(connect("a").scope).not.toBe(connect("b").scope);
});

test("a token is renewed before it ends, once for all charts, and they move", async () => {
  const { clients, connect } = open({ a: 600_000, b: 2e9 });
  const charts = [chart(connect("a"), ["b"]), chart(connect("a"), ["b"])];
  await connect("a").self();
  await vi.advanceTimersByTimeAsync(539_000);
  expect(charts[0]!.seen.asked).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(charts.map(({ seen }) => seen.expiring)).toEqual([[600_000], [600_000]]);
  expect(charts.map(({ seen }) => seen.asked)).toEqual([1, 0]);
  expect(clients.map(({ token }) => token)).toEqual(["a", "b"]);
  const [first, second] = charts.map(({ seen }) => seen.connection);
  expect(first).toBe(second);
  // Whoever comes with the old token, as other charts of the page do, gets the new connection.
  expect(connect("a")).toBe(first);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(clients.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

test("of a short life the last fifth is for the renewal", async () => {
  const { connect } = open({ a: 10_000, b: 1e9 });
  const { seen } = chart(connect("a"), ["b"]);
  await connect("a").self();
  await vi.advanceTimersByTimeAsync(7_900);
  expect(seen.asked).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(seen.asked).toBe(1);
});

test("with a wrong clock the server's refusal is what renews", async () => {
  // By this page's clock the token ended long ago.
  const { connect } = open({ a: -300_000, b: 1e9 });
  const { seen } = chart(connect("a"), ["b"]);
  await connect("a").self();
  await vi.advanceTimersByTimeAsync(1e6);
  expect(seen.asked).toBe(0);
  expect(await connect("a").renew()).toBe(seen.connection);
  expect(connect("a")).toBe(seen.connection);
});

test("a chart whose page has no token leaves it to another one", async () => {
  const { connect } = open({ b: 1e9 });
  const [silent, failing, able] = [
    chart(connect("a")),
    chart(connect("a"), [new Error("no session")]),
    chart(connect("a"), ["b"]),
  ];
  await connect("a").renew();
  expect([silent, failing, able].map(({ seen }) => seen.asked)).toEqual([1, 1, 1]);
  expect(silent.seen.connection).toBe(able.seen.connection);
});

test("without a token there is no renewal, until a page can give one", async () => {
  const { connect } = open({});
  const { seen } = chart(connect("a"), [null, "b"]);
  expect(await seen.connection.renew()).toBeNull();
  expect(await seen.connection.renew()).not.toBeNull();
});

test("a page that gives refused tokens is not asked forever", async () => {
  const { connect } = open({});
  const { seen } = chart(connect("a"), ["b", "c", "d", "e", "f"]);
  for (let i = 0; i < 6; i++) {
    await expect(seen.connection.self()).rejects.toThrow(HadalError);
    await seen.connection.renew();
  }
  expect(seen.asked).toBe(2);
});

test("the same token again is no renewal, a later one is", async () => {
  const { connect } = open({});
  const { seen } = chart(connect("a"), ["a", "b"]);
  expect(await seen.connection.renew()).toBeNull();
  expect(await seen.connection.renew()).toBe(seen.connection);
});

test("a page that never answers is waited for half a minute", async () => {
  const { connect } = open({});
  const waiting: ConnectionUser = {
    onExpiring() {},
    renewToken: () => new Promise(() => {}),
    moveTo() {},
  };
  const connection = connect("a");
  connection.join(waiting);
  const renewed = connection.renew();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await renewed).toBeNull();
});

/** A connection that reads what its token allows in this way. */
function asking(read: () => Promise<EmbedSelf>, isReachable: boolean): Connection {
  const createClient = () => ({ embeds: { self: read }, close() {} }) as unknown as HadalReader;
  const connections = new Connections({
    createClient,
    ...page,
    isReachable: async () => isReachable,
  });
  return connections.open({ src: "https://hadal.example", token: "a" });
}

test("a server that answers others refuses this page", async () => {
  const lost = () => Promise.reject(new HadalError("connection-lost"));
  await expect(asking(lost, false).self()).rejects.toMatchObject({ code: "connection-lost" });
  await expect(asking(lost, true).self()).rejects.toMatchObject({
    code: "origin-refused",
    message: expect.stringContaining("https://host.example"),
  });
  const back = vi.fn(async () => self).mockImplementationOnce(lost);
  expect(await asking(back, true).self()).toBe(self);
});

test("a page in a sandbox is named by what it lacks", async () => {
  const read = () => Promise.reject(new HadalError("connection-lost"));
  const createClient = () => ({ embeds: { self: read }, close() {} }) as unknown as HadalReader;
  const connections = new Connections({ ...page, createClient, origin: () => "null" });
  const connection = connections.open({ src: "https://hadal.example", token: "a" });
  await expect(connection.self()).rejects.toMatchObject({
    ...{ code: "origin-refused", message: expect.stringContaining("allow-same-origin") },
  });
});

test("without a token nothing is asked", async () => {
  const read = vi.fn(async () => self);
  const createClient = () => ({ embeds: { self: read }, close() {} }) as unknown as HadalReader;
  const connections = new Connections({ createClient, ...page });
  const connection = connections.open({ src: "https://hadal.example", token: null });
  await expect(connection.self()).rejects.toMatchObject({ code: "unauthenticated" });
  expect(read).not.toHaveBeenCalled();
});

test("what a token allows is read once, and again only when the connection was lost", async () => {
  const problems = [new HadalError("connection-lost"), new HadalError("token-scope")];
  const read = vi.fn(() => Promise.reject(problems[read.mock.calls.length - 1]));
  const connection = asking(read, false);
  await expect(connection.self()).rejects.toBe(problems[0]);
  await expect(connection.self()).rejects.toBe(problems[1]);
  await expect(connection.self()).rejects.toBe(problems[1]);
  expect(read).toHaveBeenCalledTimes(2);
});

test("a chart may be on the page before its script has set a server", () => {
  const client = pageAccess.createClient({ src: "", token: null });
  expect(client.close).toBeTypeOf("function");
  client.close();
});
