import { apiBase, type Me } from "@hadal/sdk";
import type { InjectOptions } from "fastify";
import { describe, expect, it } from "vitest";
import { addToken, addUser, cookieOf, password } from "../../testing/people.js";
import { type TestApi, withApi } from "../../testing/startApi.js";

const url = `${apiBase}/session`;
const json = { "content-type": "application/json" };
const proxy = "10.0.0.9";

const withUsers = (test: (api: TestApi) => Promise<void>, proxies: readonly string[] = []) =>
  withApi({ settings: { auth: "users", trustedProxies: proxies } }, async (api) => {
    await addUser(api.access, "ann", "editor");
    await test(api);
  });

const signIn = ({ app }: TestApi, body: object, options: InjectOptions = {}) =>
  app.inject({
    ...{ method: "POST", url, payload: JSON.stringify(body), ...options },
    headers: { ...json, ...options.headers },
  });

const me = ({ app }: TestApi, headers: Readonly<Record<string, string>>) =>
  app.inject({ url: `${apiBase}/me`, headers });

const remote = (remoteAddress: string, headers: Readonly<Record<string, string>>) =>
  ({ remoteAddress, headers }) as InjectOptions;

describe("a session", () => {
  it("begins with a cookie that scripts and other pages cannot use, and says who signed in", () =>
    withUsers(async (api) => {
      const reply = await signIn(api, { name: "ann", password });
      const cookie = String(reply.headers["set-cookie"]);
      expect(cookie).toMatch(/^hadal_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
      expect(reply.headers["cache-control"]).toBe("no-store");
      const known = await me(api, { cookie: cookie.split(";")[0]! });
      expect(known.json()).toEqual(reply.json());
      expect(known.json()).toMatchObject({
        ...{ kind: "user", name: "ann", role: "editor", auth: "users" },
        permissions: ["query", "save", "embed"],
      } satisfies Partial<Me>);
    }));

  it("ends with the sign-out: a cookie that was stolen is worth nothing", () =>
    withUsers(async (api) => {
      const [one, two, three] = [
        ...[await cookieOf(api, "ann"), await cookieOf(api, "ann"), await cookieOf(api, "ann")],
      ];
      const out = (cookie: string, query = "") =>
        api.app.inject({ method: "DELETE", url: url + query, headers: { cookie } });
      const reply = await out(one!);
      expect([reply.statusCode, String(reply.headers["set-cookie"])]).toEqual([
        204,
        expect.stringMatching(/^hadal_session=; Max-Age=0; Path=\//),
      ]);
      expect((await me(api, { cookie: one! })).statusCode).toBe(401);
      expect((await out(one!)).statusCode).toBe(401);
      expect((await me(api, { cookie: two! })).statusCode).toBe(200);
      expect((await out(two!, "?everywhere=true")).statusCode).toBe(204);
      expect((await me(api, { cookie: three! })).statusCode).toBe(401);
    }));

  it("is Secure where the browser speaks HTTPS, which only a trusted proxy can say", () =>
    withUsers(
      async (api) => {
        const https = { "x-forwarded-proto": "https", "x-forwarded-for": "9.9.9.9" };
        for (const [address, isSecure] of [
          [proxy, true],
          ["10.0.0.8", false],
        ] as const) {
          const reply = await signIn(api, { name: "ann", password }, remote(address, https));
          expect(String(reply.headers["set-cookie"]).includes("Secure")).toBe(isSecure);
        }
        const [second, first] = await api.access.audit.list({ who: "ann" });
        expect([first?.address, second?.address]).toEqual(["9.9.9.9", "10.0.0.8"]);
      },
      [proxy],
    ));

  it("begins by a setup link too, once", () =>
    withUsers(async (api) => {
      const actor = { who: null, address: null };
      const invited = await api.access.users.create({ name: "bob", role: "viewer" }, actor);
      const code = invited.setup.split("#")[1];
      const first = await signIn(api, { setup: code, password: "another password" });
      expect(first.json()).toMatchObject({ name: "bob" });
      const again = await signIn(api, { setup: code, password: "a third password" });
      expect(again.json()).toMatchObject({ code: "unauthenticated" });
      const known = await signIn(api, { name: "bob", password: "another password" });
      expect(known.statusCode).toBe(200);
    }));
});

describe("a sign-in is refused", () => {
  it("in the same words for a wrong password and a name that does not exist", () =>
    withUsers(async (api) => {
      const wrong = await signIn(api, { name: "ann", password: "wrong password" });
      const none = await signIn(api, { name: "unknown", password: "wrong password" });
      expect([wrong.statusCode, none.statusCode]).toEqual([401, 401]);
      expect(wrong.body).toBe(none.body);
      expect(wrong.json()).toMatchObject({ signIn: { password: true, oidc: null } });
      expect(wrong.headers["set-cookie"]).toBeUndefined();
      expect(wrong.headers["www-authenticate"]).toBe('Bearer realm="hadal"');
    }));

  it(
    "a thousand times within seconds, while others sign in",
    () =>
      withUsers(async (api) => {
        await addUser(api.access, "bob", "viewer");
        const startedMs = performance.now();
        const attempts = Array.from({ length: 1_000 }, () =>
          signIn(api, { name: "ann", password: "wrong password" }),
        );
        expect(await cookieOf(api, "bob")).toContain("hadal_session=");
        const replies = await Promise.all(attempts);
        expect(performance.now() - startedMs).toBeLessThan(20_000);
        const statuses = new Set(replies.map(({ statusCode }) => statusCode));
        expect([...statuses].sort()).toEqual([401, 429]);
        const slowed = replies.find(({ statusCode }) => statusCode === 429)!;
        expect(Number(slowed.headers["retry-after"])).toBeGreaterThanOrEqual(1);
        expect(slowed.json()).toMatchObject({
          code: "quota-exceeded",
          limitName: "signInFailures",
        });
      }),
    30_000,
  );

  it("with a password of 10 MB, before it is read", () =>
    withUsers(async (api) => {
      const startedMs = performance.now();
      const reply = await signIn(api, { name: "ann", password: "x".repeat(10_000_000) });
      expect(reply.json()).toMatchObject({
        ...{ status: 413, code: "body-too-large" },
        detail: expect.stringContaining("8192 bytes (sessionBytesMax)"),
      });
      expect(performance.now() - startedMs).toBeLessThan(2_000);
    }));

  it.each([
    [{ name: "ann" }],
    [{ name: "ann", password: 7 }],
    [{ name: ["ann"], password: "secret-text" }],
    [{ name: "ann", setup: "code", password: "secret-text" }],
    [{ name: "ann", password: "secret-text", more: 1 }],
  ])("for a body such as %j, which is not repeated", (body) =>
    withUsers(async (api) => {
      const reply = await signIn(api, body);
      expect(reply.json()).toMatchObject({ status: 400, code: "bad-request" });
      expect(reply.body).not.toContain("secret-text");
    }),
  );

  it("where no one signs in with a password", () =>
    withApi({}, async (api) => {
      expect((await signIn(api, { name: "ann", password })).json()).toMatchObject({
        ...{ status: 403, code: "forbidden" },
      });
    }));
});

describe("other pages", () => {
  it("cannot change anything with a person's cookie", () =>
    withUsers(async (api) => {
      const cookie = await cookieOf(api, "ann");
      for (const origin of ["http://evil.example", "null", "http://localhost:81"]) {
        for (const [method, path] of [
          ["POST", url],
          ["DELETE", url],
          ["POST", `${apiBase}/documents`],
        ] as const) {
          const headers = { ...json, origin, cookie, host: "localhost:80" };
          const reply = await api.app.inject({ method, url: path, headers, payload: "{}" });
          expect(reply.json()).toMatchObject({ status: 403, code: "origin-refused" });
        }
      }
      expect((await me(api, { cookie })).statusCode).toBe(200);
    }));

  it("differ from the own one by the host that a trusted proxy names, and by no other", () =>
    withUsers(
      async (api) => {
        const forwarded = { "x-forwarded-host": "localhost:4443", "x-forwarded-proto": "https" };
        const headers = { ...forwarded, origin: "https://localhost:4443", host: "localhost:80" };
        const attempt = { name: "ann", password };
        expect((await signIn(api, attempt, remote(proxy, headers))).statusCode).toBe(200);
        expect((await signIn(api, attempt, remote("9.9.9.9", headers))).statusCode).toBe(403);
      },
      [proxy],
    ));
});

describe("a token", () => {
  it("that is wrong, changed, expired or revoked is refused in the same words", () =>
    withUsers(async (api) => {
      const { id, token } = await addToken(api.access, ["query:*"]);
      const expired = await addToken(api.access, ["query:*"], "1s");
      const use = (text: string) => me(api, { authorization: text });
      expect((await use(`Bearer ${token}`)).json()).toMatchObject({ kind: "token", role: null });
      const cookie = await cookieOf(api, "ann");
      await api.access.tokens.revoke(id, { who: null, address: null });
      await expect
        .poll(async () => (await use(`Bearer ${expired.token}`)).statusCode, { timeout: 5_000 })
        .toBe(401);
      const bodies = new Set<string>();
      const changed = token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
      for (const text of [
        ...[`Bearer ${token}`, `Bearer ${changed}`, `Bearer ${expired.token}`, "Bearer", "Basic a"],
        ...[`Bearer hdl_`, `bearer ${cookie.split("=")[1]}`],
      ]) {
        const reply = await use(text);
        expect([text.slice(0, 10), reply.statusCode]).toEqual([text.slice(0, 10), 401]);
        bodies.add(reply.body);
      }
      expect(bodies.size).toBe(1);
      // It counts before a session that is valid.
      const headers = { authorization: `Bearer ${changed}`, cookie };
      expect((await me(api, headers)).statusCode).toBe(401);
    }));

  it("is judged also where no one has to sign in", () =>
    withApi({}, async (api) => {
      const { token } = await addToken(api.access, ["query:*"]);
      const asked = (text: string) =>
        api.app.inject({ url: `${apiBase}/users`, headers: { authorization: text } });
      expect((await api.app.inject({ url: `${apiBase}/users` })).statusCode).toBe(200);
      expect((await asked(`Bearer ${token}`)).json()).toMatchObject({ code: "token-scope" });
      expect((await asked("Bearer hdl_wrong")).json()).toMatchObject({ code: "unauthenticated" });
    }));

  it("sends rows to the tables of its scopes only, whether others exist or not", () =>
    withUsers(async (api) => {
      const { token } = await addToken(api.access, ["ingest:own"]);
      const send = (table: string) =>
        api.app.inject({
          ...{ method: "POST", url: `${apiBase}/tables/${table}/rows?timeUnit=ms` },
          headers: { authorization: `Bearer ${token}`, ...json },
          payload: '{"time":1}',
        });
      expect((await send("own")).statusCode).toBe(200);
      expect((await send("other")).json()).toMatchObject({
        ...{ status: 403, code: "token-scope", detail: "The token has no scope ingest:other." },
      });
    }));
});

describe("a proxy that signs people in", () => {
  const settings = {
    ...({ auth: "header", trustedProxies: [proxy] } as const),
    personHeaders: { name: "x-user", groups: "x-groups" },
  };
  const asked = ({ app }: TestApi, options: InjectOptions) =>
    app.inject({ url: `${apiBase}/me`, ...options });

  it("names them; from other addresses the header proves nothing", () =>
    withApi({ settings }, async (api) => {
      const headers = { "x-user": "cleo", "x-groups": "shop, ops" };
      expect((await asked(api, remote(proxy, headers))).json()).toMatchObject({
        ...{ kind: "user", name: "cleo", role: "viewer", groups: ["ops", "shop"], auth: "header" },
      });
      for (const options of [
        remote("10.0.0.8", headers),
        remote("10.0.0.8", { ...headers, "x-forwarded-for": proxy }),
        remote(proxy, {}),
        remote(proxy, { "x-user": "" }),
        remote(proxy, { ...headers, "x-user": "cleo, admin" }),
      ]) {
        expect((await asked(api, options)).json()).toMatchObject({
          ...{ status: 401, code: "unauthenticated", signIn: { password: false } },
        });
      }
    }));
});
