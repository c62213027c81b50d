import { apiBase, type Permission, type Role, roles } from "@hadal/sdk";
import { expect, test } from "vitest";
import { rolePermissions } from "../access/rolePermissions.js";
import { addEmbed, addToken, addUser, cookieOf, permissionsOfScope } from "./testing/people.js";
import { type TestApi, withApi } from "./testing/startApi.js";

/** C3: who × route. The routes are those that the server has, the expected answers are written here. */

/** Which permission each route needs; written down a second time on purpose. */
const expected: Readonly<Record<string, "open" | "signed-in" | Permission>> = {
  "POST /api/v1/tables/{table}/rows": "ingest",
  "POST /api/v1/batches": "ingest",
  "POST /v1/logs": "ingest",
  "POST /v1/traces": "ingest",
  "POST /v1/metrics": "ingest",
  "POST /api/v1/query": "query",
  "DELETE /api/v1/query/{id}": "query",
  "POST /api/v1/facets": "query",
  "POST /api/v1/what-changed": "query",
  "GET /api/v1/tables": "query",
  "GET /api/v1/tables/{table}": "query",
  "PUT /api/v1/tables/{table}/settings": "operate",
  "DELETE /api/v1/tables/{table}": "operate",
  "GET /api/v1/tables/{table}/columns/{column}/values": "query",
  "GET /api/v1/functions": "query",
  "GET /api/v1/functions/{name}": "query",
  "PUT /api/v1/functions/{name}": "save",
  "DELETE /api/v1/functions/{name}": "save",
  "POST /api/v1/functions/run": "save",
  "GET /api/v1/documents": "query",
  "POST /api/v1/documents": "save",
  "GET /api/v1/documents/{id}": "query",
  "PUT /api/v1/documents/{id}": "save",
  "DELETE /api/v1/documents/{id}": "save",
  "GET /api/v1/documents/{id}/versions": "query",
  "GET /api/v1/documents/{id}/versions/{version}": "query",
  "GET /api/v1/documents/{id}/image.svg": "query",
  "GET /api/v1/documents/{id}/image.png": "query",
  "GET /api/v1/documents/{id}/image.pdf": "query",
  "GET /api/v1/annotations": "query",
  "POST /api/v1/annotations": "save",
  "GET /api/v1/alerts": "query",
  "GET /api/v1/alerts/{id}": "query",
  "GET /api/v1/alerts/{id}/history": "query",
  "POST /api/v1/alerts/{id}/mute": "save",
  "POST /api/v1/alerts/{id}/acknowledge": "save",
  "POST /api/v1/alerts/{id}/test": "save",
  "POST /api/v1/alerts/test": "save",
  "POST /api/v1/alerts/preview": "query",
  "POST /api/v1/links": "query",
  "GET /api/v1/links/{id}": "query",
  "POST /api/v1/session": "open",
  "DELETE /api/v1/session": "signed-in",
  "GET /api/v1/session/oidc": "open",
  "GET /api/v1/session/oidc/callback": "open",
  "GET /api/v1/me": "signed-in",
  "GET /api/v1/users": "admin",
  "POST /api/v1/users": "admin",
  "PUT /api/v1/users/{id}": "admin",
  "POST /api/v1/users/{id}/setup": "admin",
  "DELETE /api/v1/users/{id}": "admin",
  "GET /api/v1/tokens": "admin",
  "POST /api/v1/tokens": "admin",
  "DELETE /api/v1/tokens/{id}": "admin",
  "GET /api/v1/grants": "admin",
  "PUT /api/v1/grants": "admin",
  "GET /api/v1/audit": "admin",
  "GET /api/v1/sources": "admin",
  "GET /api/v1/sources/{id}": "admin",
  "PUT /api/v1/sources/{id}": "admin",
  "DELETE /api/v1/sources/{id}": "admin",
  "GET /api/v1/embeds": "embed",
  "POST /api/v1/embeds": "embed",
  "DELETE /api/v1/embeds/{id}": "embed",
  "POST /api/v1/embeds/{id}/token": "embed",
  "GET /api/v1/embeds/self": "query",
  "GET /api/v1/embeds/{id}/image.svg": "query",
  "GET /api/v1/embeds/{id}/image.png": "query",
  "POST /api/v1/embeds/{id}/image-url": "embed",
  "GET /api/v1/embeds/keys": "embed",
  "POST /api/v1/embeds/keys": "embed",
  "DELETE /api/v1/embeds/keys/{kid}": "embed",
  "POST /api/v1/embeds/keys/rotate": "admin",
  "GET /api/v1/status": "query",
  "GET /api/v1/cluster": "query",
  "POST /api/v1/cluster/machines/{name}/drain": "operate",
  "POST /api/v1/cluster/registry": "open",
  "GET /api/v1/plan": "query",
  "GET /api/v1/cache": "operate",
  "DELETE /api/v1/cache": "operate",
  "GET /healthz": "open",
  "GET /readyz": "open",
  "GET /metrics": "operate",
  "GET /api/v1/live": "query",
  "GET /api/v1/openapi.json": "signed-in",
  "GET /api/v1/docs": "signed-in",
  "GET /api/v1/docs.css": "signed-in",
};

/** Routes that visitors of an embed have; every other one refuses them. */
const forEmbeds: readonly string[] = [
  "POST /api/v1/query",
  "POST /api/v1/facets",
  "POST /api/v1/what-changed",
  "GET /api/v1/tables/{table}/columns/{column}/values",
  "GET /api/v1/embeds/self",
  "GET /api/v1/embeds/{id}/image.svg",
  "GET /api/v1/embeds/{id}/image.png",
  "GET /api/v1/live",
];

interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly permissions: ReadonlySet<Permission>;
  readonly kind: "anonymous" | "user" | "token" | "embed";
}

async function callersOf(api: TestApi): Promise<readonly Caller[]> {
  const callers: Caller[] = [
    { name: "anonymous", headers: {}, permissions: new Set(), kind: "anonymous" },
  ];
  // Which tables may be read and written is another question, which grants answer.
  const grants = [{ group: "everyone", table: "*" }];
  await api.access.grants.replace({ grants }, { who: null, address: null });
  const ids = new Map<Role, string>();
  for (const role of roles) {
    ids.set(role, await addUser(api.access, role, role));
    const headers = { cookie: await cookieOf(api, role) };
    callers.push({ name: role, headers, permissions: rolePermissions[role as Role], kind: "user" });
  }
  for (const [scope, permission] of Object.entries(permissionsOfScope)) {
    const { token } = await addToken(api.access, [scope]);
    const headers = { authorization: `Bearer ${token}` };
    callers.push({ name: scope, headers, permissions: new Set([permission]), kind: "token" });
  }
  const owner = { kind: "user", id: ids.get("admin") ?? "" } as const;
  const { token } = await addEmbed(api.access, {}, owner);
  const headers = { authorization: `Bearer ${token}` };
  callers.push({ name: "embed", headers, permissions: new Set(), kind: "embed" });
  return callers;
}

test("every role and every scope has exactly the routes of its permissions", () =>
  withApi({ settings: { auth: "users" } }, async (api) => {
    const callers = await callersOf(api);
    const admin = callers.find(({ name }) => name === "admin")!;
    const document = await api.app.inject({
      url: `${apiBase}/openapi.json`,
      headers: admin.headers,
    });
    const { paths } = document.json() as {
      paths: Record<string, Record<string, { "x-hadal-access": string; "x-hadal-embeds"?: true }>>;
    };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // A route that is new has to be decided on here.
    expect(routes.sort()).toEqual(Object.keys(expected).sort());
    const describedForEmbeds = routes.filter((route) => {
      const [method = "", path = ""] = route.split(" ");
      return paths[path]?.[method.toLowerCase()]?.["x-hadal-embeds"] === true;
    });
    expect(describedForEmbeds).toEqual(forEmbeds.toSorted());
    let cells = 0;
    for (const route of routes) {
      const [method = "", path = ""] = route.split(" ");
      const access = expected[route]!;
      expect([route, paths[path]?.[method.toLowerCase()]?.["x-hadal-access"]]).toEqual([
        route,
        access,
      ]);
      for (const caller of callers) {
        // Ends the caller's own session: the next cells would have none.
        const headers = route === "DELETE /api/v1/session" ? withoutCookie(caller) : caller.headers;
        const kind =
          route === "DELETE /api/v1/session" && caller.kind === "user" ? "anonymous" : caller.kind;
        const reply = await api.app.inject({
          method: method as "GET",
          url: path.replace(/\{\w+\}/g, "none"),
          headers: { ...headers, "content-type": "application/json" },
          ...(method === "GET" || method === "DELETE" ? {} : { payload: "{}" }),
        });
        const isProblem = reply.headers["content-type"] === "application/problem+json";
        const code = isProblem ? (reply.json() as { code: string }).code : "";
        expect([route, caller.name, reply.statusCode, refusalOf(code)]).toEqual([
          ...[
            route,
            caller.name,
            reply.statusCode,
            expectedRefusal(access, { ...caller, kind }, route),
          ],
        ]);
        cells += 1;
      }
    }
    expect(cells).toBe(routes.length * callers.length);
    expect(callers.length).toBe(1 + roles.length + Object.keys(permissionsOfScope).length + 1);
  }));

const withoutCookie = ({ headers }: Caller) => (headers.cookie === undefined ? headers : {});

const refusals = ["unauthenticated", "forbidden", "token-scope"];
const refusalOf = (code: string): string => (refusals.includes(code) ? code : "allowed");

function expectedRefusal(
  access: "open" | "signed-in" | Permission,
  { kind, permissions }: Pick<Caller, "kind" | "permissions">,
  route: string,
): string {
  if (access === "open") return "allowed";
  if (kind === "embed") return forEmbeds.includes(route) ? "allowed" : "token-scope";
  if (kind === "anonymous") return "unauthenticated";
  if (access === "signed-in" || permissions.has(access)) return "allowed";
  return kind === "token" ? "token-scope" : "forbidden";
}

test("paths that are no route, and methods that a route does not have, say nothing to strangers", () =>
  withApi({ settings: { auth: "users" } }, async (api) => {
    await addUser(api.access, "ann", "viewer");
    const cookie = await cookieOf(api, "ann");
    for (const [method, url, known] of [
      ["GET", `${apiBase}/nope`, 404],
      ["PUT", `${apiBase}/query`, 405],
      ["HEAD", `${apiBase}/tables`, 200],
      ["OPTIONS", `${apiBase}/tables`, 405],
      ["GET", `${apiBase}/%6de`, 200],
      ["GET", "/api/v1//me", 404],
    ] as const) {
      const stranger = await api.app.inject({ method, url });
      const viewer = await api.app.inject({ method, url, headers: { cookie } });
      expect([url, stranger.statusCode, viewer.statusCode]).toEqual([url, 401, known]);
    }
    for (const url of ["/healthz", "/readyz"])
      expect((await api.app.inject({ url })).statusCode).toBe(200);
  }));
