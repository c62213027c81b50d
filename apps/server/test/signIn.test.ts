import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { adminOf } from "./support/people.js";
import { type Cluster, spawnHadal, startCluster } from "./support/startCluster.js";

/** The real program, whose people sign in. */
const password = "a password of the test, in no log";
const json = { "content-type": "application/json" };
let cluster: Cluster;
/** Of the first admin. */
let cookie = "";

beforeAll(async () => {
  cluster = await startCluster({ leaves: 1, environment: { HADAL_AUTH: "users" } });
}, 60_000);
afterAll(() => cluster?.stop());

const send = (path: string, init: RequestInit = {}) => fetch(`${cluster.url}/api/v1${path}`, init);
const signIn = (body: object) =>
  send("/session", { method: "POST", headers: json, body: JSON.stringify(body) });
const cookieIn = (reply: Response): string =>
  reply.headers.getSetCookie()[0]?.split(";")[0] ?? "none";

test("a server without users prints a link, with which the first admin sets a password", async () => {
  const link = /first admin sets a password at (\S+)/.exec(cluster.output.err)?.[1] ?? "";
  expect(link.startsWith(`${cluster.url}/setup#`)).toBe(true);
  expect((await send("/tables")).status).toBe(401);
  expect((await fetch(cluster.url)).status).toBe(200);
  const setup = link.split("#")[1];
  const reply = await signIn({ setup, password });
  expect(await reply.json()).toMatchObject({ name: "admin", role: "admin" });
  cookie = cookieIn(reply);
  expect((await signIn({ setup, password })).status).toBe(401);
  expect((await send("/tables", { headers: { cookie } })).status).toBe(200);
});

describe("no token, cookie or password", () => {
  const secrets: string[] = [password];
  const answers: string[] = [];
  /** The answer's text and headers, but for the cookie, where it belongs. */
  const keep = async (reply: Response): Promise<Response> => {
    reply.headers.forEach((value, name) => {
      if (name !== "set-cookie") answers.push(value);
    });
    answers.push(reply.url, await reply.clone().text());
    return reply;
  };

  test("is in any answer, whatever goes wrong", async () => {
    const { id, token } = await adminOf(cluster.url, { cookie }).createToken(["query:*"]);
    const session = cookieIn(await keep(await signIn({ name: "admin", password })));
    secrets.push(token, session.split("=")[1]!, cookie.split("=")[1]!);
    const authorization = `Bearer ${token}`;
    const body = JSON.stringify({ sql: "SELECT count(*) FROM" });
    for (const [path, init] of [
      ["/me", { headers: { authorization } }],
      ["/me", { headers: { cookie: session } }],
      ["/query", { method: "POST", headers: { ...json, authorization }, body }],
      ["/query", { method: "POST", headers: json, body: JSON.stringify({ sql: token }) }],
      ["/users", { headers: { authorization } }],
      ["/users", { headers: { authorization: `${authorization}x` } }],
      ["/tokens", { headers: { cookie } }],
      ["/audit", { headers: { cookie } }],
      ["/status", { headers: { cookie } }],
      ["/nope", { headers: { authorization, cookie } }],
      ["/tables/%ff", { headers: { authorization, cookie } }],
      ["/session", { method: "POST", headers: json, body: `{"password":"${password}"` }],
      ["/session", { method: "POST", headers: json, body: JSON.stringify({ password }) }],
      ["/session", { method: "DELETE", headers: { cookie: session } }],
      ["/me", { headers: { cookie: session } }],
      [`/tokens/${id}`, { method: "DELETE", headers: { cookie } }],
      ["/me", { headers: { authorization } }],
    ] as readonly (readonly [string, RequestInit])[]) {
      await keep(await send(path, init));
    }
    const refused = new WebSocket(`${cluster.url.replace("http", "ws")}/api/v1/live`, [
      ...["hadal.v1", `hadal.bearer.${token}`],
    ]);
    const [error] = (await once(refused, "error")) as [Error];
    answers.push(error.message);
    for (const secret of secrets) expect(answers.join("\n")).not.toContain(secret);
  });

  test("is in the log or on the disk", async () => {
    const names = await readdir(cluster.dataDir, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    expect(files.some(({ name }) => name === "registry.db")).toBe(true);
    for (const { parentPath, name } of files) {
      const text = await readFile(join(parentPath, name), "latin1");
      for (const secret of secrets) expect([name, text.includes(secret)]).toEqual([name, false]);
    }
    const { out, err } = cluster.output;
    for (const secret of secrets) expect(out + err).not.toContain(secret);
    // It is the list that is searched for.
    expect(secrets.length).toBe(4);
    expect(Math.min(...secrets.map(({ length }) => length))).toBeGreaterThan(20);
  });
});

test("what was done is in the audit log, and only for admins", async () => {
  const reply = await send("/audit", { headers: { cookie } });
  const { entries } = (await reply.json()) as { entries: { action: string; who: string }[] };
  expect(new Set(entries.map(({ action }) => action))).toEqual(
    new Set(["user.create", "user.change", "sign-in", "token.create", "token.revoke", "sign-out"]),
  );
  expect((await send("/audit")).status).toBe(401);
});

test.each([
  [["--host", "0.0.0.0"], "there is no user yet. Add one first (`npx hadal user add NAME"],
  [["--host", "0.0.0.0", "--auth", "none"], "is not a loopback address"],
  [["--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.pem"], "--tls-cert: /nowhere.pem cannot"],
])("a start with %j is refused in one line", async (flags, sentence) => {
  const dataDir = join(tmpdir(), `hadal-refused-${process.pid}-${performance.now()}`);
  const args = ["serve", "--port", "0", "--data-dir", dataDir, "--no-demo", "--leaves", "1"];
  const { output, exited } = spawnHadal([...args, ...flags]);
  expect(await exited).not.toBe(0);
  expect(output.err).toContain(sentence);
  expect(output.err.trim().split("\n")).toHaveLength(1);
});
