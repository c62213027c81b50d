import { once } from "node:events";
import { apiBase, signedOutCode } from "@hadal/sdk";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { addEmbed, addToken, addUser, cookieOf } from "../testing/people.js";
import { query, type TestApi, untilCancelled, withApi } from "../testing/startApi.js";

const byTest = { who: null, address: null };
/** What the interface promises. */
const revokedMsMax = 5_000;

interface Running {
  readonly isAborted: () => boolean;
  /** How many were asked. */
  readonly count: () => number;
}

/** An interface whose queries run until they are cancelled. */
async function withRunning(test: (api: TestApi, running: Running) => Promise<void>): Promise<void> {
  let isAborted = false;
  let count = 0;
  const ask = (
    _query: unknown,
    { signal }: { readonly signal: Parameters<typeof untilCancelled>[0] },
  ) => {
    count += 1;
    signal.addEventListener("abort", () => {
      isAborted = true;
    });
    return untilCancelled(signal);
  };
  await withApi({ ask, settings: { auth: "users" } }, async (api) => {
    await addUser(api.access, "ann", "viewer");
    await test(api, { isAborted: () => isAborted, count: () => count });
  });
}

async function openSocket(
  url: string,
  { protocols = [], cookie }: { readonly protocols?: string[]; readonly cookie?: string },
): Promise<WebSocket> {
  const headers = cookie === undefined ? {} : { cookie };
  const socket = new WebSocket(`${url.replace("http", "ws")}${apiBase}/live`, protocols, {
    headers,
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ kind: "query", id: "q", query }));
  return socket;
}

/** With which code the socket closes once that has happened. */
async function closeCodeOf(
  socket: WebSocket,
  happen: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  const closed = once(socket, "close") as Promise<[number]>;
  const startedMs = performance.now();
  await happen();
  const [code] = await closed;
  expect(performance.now() - startedMs).toBeLessThan(revokedMsMax);
  return code;
}

test("a socket that a token opened names only the protocol back, and closes when the token is revoked", () =>
  withRunning(async (api, running) => {
    const url = await api.listen();
    const { id, token } = await addToken(api.access, ["query:*"]);
    const protocols = ["hadal.v1", `hadal.bearer.${token}`];
    const socket = await openSocket(url, { protocols });
    expect(socket.protocol).toBe("hadal.v1");
    const revoke = () => api.access.tokens.revoke(id, byTest);
    expect(await closeCodeOf(socket, revoke)).toBe(signedOutCode);
    await expect.poll(running.isAborted).toBe(true);
    const again = new WebSocket(`${url.replace("http", "ws")}${apiBase}/live`, protocols);
    const [error] = (await once(again, "error")) as [Error];
    expect(error.message).toContain("401");
  }));

test("a socket closes when its token expires", () =>
  withRunning(async (api) => {
    const { token } = await addToken(api.access, ["query:*"], "1s");
    const protocols = ["hadal.v1", `hadal.bearer.${token}`];
    const socket = await openSocket(await api.listen(), { protocols });
    expect(await closeCodeOf(socket)).toBe(signedOutCode);
  }));

test("a socket closes when its person signs out", () =>
  withRunning(async (api) => {
    const url = await api.listen();
    const cookie = await cookieOf(api, "ann");
    const socket = await openSocket(url, { cookie });
    const signOut = () =>
      fetch(`${url}${apiBase}/session`, { method: "DELETE", headers: { cookie } });
    expect(await closeCodeOf(socket, signOut)).toBe(signedOutCode);
  }));

test("a socket of a person whose grants change opens again with them", () =>
  withRunning(async (api) => {
    const cookie = await cookieOf(api, "ann");
    const socket = await openSocket(await api.listen(), { cookie });
    const grants = [{ user: "ann", table: "t" }];
    const grant = () => api.access.grants.replace({ grants }, byTest);
    expect(await closeCodeOf(socket, grant)).toBe(1012);
  }));

test("what an embed's socket has open ends with a problem that says why when it is revoked", () =>
  withRunning(async (api, running) => {
    const url = await api.listen();
    const id = await addUser(api.access, "root", "admin");
    const owner = { kind: "user", id } as const;
    const embed = await addEmbed(api.access, {}, owner);
    const protocols = ["hadal.v1", `hadal.bearer.${embed.token}`];
    const socket = await openSocket(url, { protocols });
    const frames: object[] = [];
    socket.on("message", (text) => frames.push(JSON.parse(String(text))));
    socket.send(JSON.stringify({ kind: "subscribe", id: "s", everyMs: 500, query }));
    const queries = [{ tile: "a", query }];
    socket.send(JSON.stringify({ kind: "batch", id: "b", everyMs: 500, queries }));
    await expect.poll(running.count).toBe(3);
    const revoke = () => api.access.embeds.revoke(embed.id, { ...byTest, owner, isAdmin: false });
    expect(await closeCodeOf(socket, revoke)).toBe(signedOutCode);
    const detail = expect.stringContaining("expired or was revoked");
    const problem = expect.objectContaining({ code: "unauthenticated", detail });
    for (const open of ["q", "s", "b"])
      expect(frames).toContainEqual(
        expect.objectContaining({ kind: "problem", id: open, problem }),
      );
    expect(JSON.stringify(frames)).not.toContain('"cancelled"');
    await expect.poll(running.isAborted).toBe(true);
  }));

test("a query in flight ends when its token is revoked", () =>
  withRunning(async (api, running) => {
    const url = await api.listen();
    const { id, token } = await addToken(api.access, ["query:*"]);
    const asked = fetch(`${url}${apiBase}/query`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
    const list = async () =>
      (await api.app.inject({ url: `${apiBase}/status`, headers: { cookie } })).json().queries;
    await addUser(api.access, "root", "admin");
    const cookie = await cookieOf(api, "root");
    await expect.poll(list).toHaveLength(1);
    await api.access.tokens.revoke(id, byTest);
    expect((await asked).status).toBe(401);
    expect(running.isAborted()).toBe(true);
  }));

test("a query is listed and cancelled by who asked it, and by who operates the server", () =>
  withRunning(async (api, running) => {
    const url = await api.listen();
    await addUser(api.access, "bob", "editor");
    await addUser(api.access, "op", "operator");
    const { token } = await addToken(api.access, ["query:*"]);
    const ask = (id: string) =>
      fetch(`${url}${apiBase}/query`, {
        method: "POST",
        headers: {
          ...{ "content-type": "application/json", "x-query-id": id },
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({ query }),
      });
    const asked = ask("mine");
    const bob = { cookie: await cookieOf(api, "bob") };
    const operator = { cookie: await cookieOf(api, "op") };
    const queries = async (headers: Readonly<Record<string, string>>) =>
      (await api.app.inject({ url: `${apiBase}/status`, headers })).json().queries;
    const cancel = (headers: Readonly<Record<string, string>>) =>
      api.app.inject({ method: "DELETE", url: `${apiBase}/query/mine`, headers });
    await expect.poll(() => queries(operator)).toHaveLength(1);
    expect(await queries(bob)).toEqual([]);
    expect((await cancel(bob)).json()).toMatchObject({ code: "unknown-query" });
    expect(running.isAborted()).toBe(false);
    expect((await cancel(operator)).statusCode).toBe(204);
    expect((await asked).status).toBe(499);
  }));
