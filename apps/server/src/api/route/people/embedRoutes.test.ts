import { apiBase, HadalError, type Query, type TableDetail } from "@hadal/sdk";
import { expect, test } from "vitest";
import type { Readable } from "../../../base/access/readable.js";
import { addEmbed, addToken, addUser, cookieOf } from "../../testing/people.js";
import { type TestApi, withApi } from "../../testing/startApi.js";

const byTest = { who: null, address: null };
const owner = { kind: "anyone", id: null } as const;
const host = "https://intranet.example";
const other = "https://other.example";
const draft = { title: "Visits", table: "t", views: ["timeseries"], rangeMsMax: 60_000 };
const detail = {
  ...{ name: "t", retention: null },
  columns: [{ name: "page", type: "string", decimals: 0, mixed: false, unit: "s" }],
} as unknown as TableDetail;

const withEmbeds = (use: (api: TestApi) => Promise<void>, auth: "users" | "none" = "users") =>
  withApi({ settings: { auth }, deps: { table: async () => detail } }, use);

type Headers = Readonly<Record<string, string>>;

const post = ({ app }: TestApi, path: string, headers: Headers, body: object = {}) =>
  app.inject({
    ...{ method: "POST", url: `${apiBase}${path}`, payload: JSON.stringify(body) },
    headers: { "content-type": "application/json", ...headers },
  });

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The token of an embed that an admin made. */
async function tokenOf({ access }: TestApi, frameAncestors: readonly string[]): Promise<string> {
  const id = await addUser(access, "root", "admin");
  return (await addEmbed(access, { frameAncestors }, { kind: "user", id })).token;
}

test("an embed is made of what one may embed, and the snippet has nothing unescaped", () =>
  withEmbeds(async (api) => {
    await addUser(api.access, "ann", "editor");
    const ann = { cookie: await cookieOf(api, "ann") };
    const refused = await post(api, "/embeds", ann, draft);
    expect(refused.json()).toMatchObject({ code: "unknown-table" });
    const { token } = await addToken(api.access, ["embed:others"]);
    const scoped = await post(api, "/embeds", bearer(token), draft);
    expect(scoped.json()).toMatchObject({ code: "token-scope", status: 403 });
    await addUser(api.access, "root", "admin");
    const root = { cookie: await cookieOf(api, "root"), host: "localhost:7400" };
    const filter = [{ column: "page", op: "=", value: `"><script>alert('1')</script>` }];
    const query = { table: "t", from: "-1h", to: "now", filter };
    const made = await post(api, "/embeds", root, { ...draft, query });
    expect(made.statusCode).toBe(201);
    const { html, token: shown } = made.json();
    expect(html).toContain(
      `<hadal-chart src="http://localhost:7400" token="${shown}" query="{&quot;`,
    );
    expect(html.match(/<script/g)).toHaveLength(1);
    const wrong = { ...draft, frameAncestors: ["https://a.example; script-src *"], views: [] };
    expect((await post(api, "/embeds", root, wrong)).json()).toMatchObject({
      code: "invalid-query",
      errors: [{ path: "views" }, { path: "frameAncestors[0]" }],
    });
  }));

test("an embed is not made whose own query would be refused, and the problem is the reader's", async () => {
  const asked: [Query, Readable][] = [];
  let problem: HadalError | null = null;
  const checkAsked = async (query: Query, readable: Readable) => {
    asked.push([query, readable]);
    if (problem !== null) throw problem;
  };
  const deps = { table: async () => detail, checkAsked };
  await withApi({ settings: { auth: "none" }, deps }, async (api) => {
    const create = (query: object) =>
      post(api, "/embeds", {}, { ...draft, hiddenColumns: ["ip"], groupBy: ["page"], query });
    const query = { table: "t", from: "-1m", to: "now", groupBy: ["page"], series: 3 };
    const refusal = "The embed token does not allow groups by ip.";
    problem = new HadalError("token-scope", { detail: refusal });
    expect((await create(query)).json()).toMatchObject({ status: 403, detail: refusal });
    const part = { path: "groupBy[0]", code: "unknown-column", detail: "There is none." };
    problem = new HadalError("unknown-column", { table: "t", column: "pge", nearest: "" }, [part]);
    expect((await create(query)).json()).toMatchObject({
      ...{ status: 400, code: "unknown-column" },
      errors: [{ ...part, path: "query.groupBy[0]" }],
    });
    expect(await api.access.embeds.list({ ...byTest, owner, isAdmin: true })).toEqual([]);
    problem = null;
    expect((await create({ ...query, groupBy: [{ time: "1s" }] })).statusCode).toBe(201);
    const [[first, readable] = [], , [overTime] = []] = asked;
    // Views add the time bucket that a number of series needs.
    expect([first?.series, overTime?.series]).toEqual([undefined, 3]);
    expect(readable?.of("t")).toMatchObject({
      hiddenColumns: ["ip"],
      bounds: { rows: false, groupBy: ["page"], rangeMsMax: 60_000 },
    });
  });
});

test("a page reads what its embed allows, without what is not for visitors", () =>
  withEmbeds(async (api) => {
    const token = await tokenOf(api, [host]);
    const self = await api.app.inject({ url: `${apiBase}/embeds/self`, headers: bearer(token) });
    expect(self.json()).toMatchObject({
      ...{ title: "Test", table: "t", views: ["timeseries"], mayOpen: false, query: null },
      kid: (await api.access.embedKeys.signing()).kid,
      columns: [{ name: "page", type: "string", decimals: 0, unit: "s" }],
    });
    expect(self.body).not.toMatch(/filter|frameAncestors|owner|createdBy|mixed/);
  }));

test("pages of the hosts that a token names read its answers, and no others", () =>
  withEmbeds(async (api) => {
    const token = await tokenOf(api, [host, "https://*.example.com"]);
    const query = { table: "t", from: 0, to: 1 };
    const ask = (origin: string | undefined, headers: Headers = bearer(token)) =>
      post(api, "/query", { ...headers, ...(origin === undefined ? {} : { origin }) }, { query });
    for (const origin of [host, "https://shop.example.com"]) {
      const reply = await ask(origin);
      expect([reply.statusCode, reply.headers["access-control-allow-origin"]]).toEqual([
        200,
        origin,
      ]);
      expect(reply.headers.vary).toContain("Origin");
      expect(reply.headers).not.toHaveProperty("access-control-allow-credentials");
      expect(reply.headers["access-control-expose-headers"]).toMatch(/^x-hadal-completeness,/);
    }
    for (const origin of [
      other,
      "null",
      "https://intranet.example.evil",
      "http://intranet.example",
    ]) {
      const reply = await ask(origin);
      expect([origin, reply.json().code]).toEqual([origin, "origin-refused"]);
      expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
    }
    // A program, and the page for frames on the server itself.
    expect((await ask(undefined)).statusCode).toBe(200);
    expect((await ask("http://localhost:80")).headers).not.toHaveProperty(
      "access-control-allow-origin",
    );
    // Pages that may ask can read why a token ended, so that they can show it.
    const tampered = await ask(host, bearer(`${token.slice(0, -4)}AAAA`));
    expect(tampered.json().code).toBe("token-scope");
    expect(tampered.headers["access-control-allow-origin"]).toBe(host);
  }));

test("no cookie, and no token of another kind, makes a page of another host read anything", () =>
  withEmbeds(async (api) => {
    await tokenOf(api, [host]);
    const cookie = await cookieOf(api, "root");
    const { token } = await addToken(api.access, ["query:*"]);
    for (const headers of [{ cookie }, bearer(token), { cookie, authorization: "Bearer a.b.c" }]) {
      const reply = await post(api, "/query", { ...headers, origin: host }, { query: {} });
      expect([403, 200]).toContain(reply.statusCode);
      expect(["origin-refused", "token-scope"]).toContain(reply.json().code);
    }
    const list = await api.app.inject({
      url: `${apiBase}/tables`,
      headers: { cookie, origin: host },
    });
    expect(list.headers).not.toHaveProperty("access-control-allow-origin");
  }));

test("without sign-in a page of another host needs a token, too", () =>
  withEmbeds(async (api) => {
    const { token } = await addEmbed(api.access, { frameAncestors: [host] });
    const body = { query: { table: "t", from: 0, to: 1 } };
    const ask = (headers: Headers) => post(api, "/query", { ...headers, origin: host }, body);
    expect((await ask({})).json().code).toBe("origin-refused");
    expect((await ask(bearer("a.b.c"))).json().code).toBe("token-scope");
    expect((await ask(bearer(token))).statusCode).toBe(200);
  }, "none"));

test("a browser that asks before it sends a token is answered for hosts that a token may name", () =>
  withEmbeds(async (api) => {
    await tokenOf(api, [host]);
    const preflight = (origin: string, path = `${apiBase}/query`) =>
      api.app.inject({
        ...{ method: "OPTIONS", url: path },
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization, content-type",
        },
      });
    const reply = await preflight(host);
    expect([reply.statusCode, reply.body]).toEqual([204, ""]);
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": host,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": expect.stringContaining("authorization, content-type"),
    });
    expect(reply.headers).not.toHaveProperty("access-control-allow-credentials");
    for (const refused of [await preflight(other), await preflight(host, "/healthz")])
      expect(refused.headers).not.toHaveProperty("access-control-allow-origin");
  }));
