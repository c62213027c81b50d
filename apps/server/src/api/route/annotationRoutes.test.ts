import { type Annotation, apiBase } from "@hadal/sdk";
import { expect, test } from "vitest";
import { addUser, cookieOf } from "../testing/people.js";
import { type TestApi, withApi } from "../testing/startApi.js";

const byTest = { who: null, address: null };

interface Sent {
  readonly cookie?: string;
  readonly body?: unknown;
}

async function send(api: TestApi, path: string, { cookie, body }: Sent = {}) {
  const reply = await api.app.inject({
    method: body === undefined ? "GET" : "POST",
    url: `${apiBase}${path}`,
    headers: { ...(cookie && { cookie }), "content-type": "application/json" },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  return { status: reply.statusCode, json: reply.json() };
}

const titlesOf = async (api: TestApi, search: string, cookie?: string) => {
  const { json } = await send(api, `/annotations${search}`, cookie === undefined ? {} : { cookie });
  return (json as { annotations: readonly Annotation[] }).annotations.map(({ title }) => title);
};

test("annotations are found by their times and tables, in the order of time", () =>
  withApi({}, async (api) => {
    const save = (body: object) => send(api, "/annotations", { body });
    await save({ time: "2026-11-21T10:00:00Z", title: "later", tables: ["visits"] });
    await save({ time: "2026-11-21T08:00:00Z", until: "2026-11-21T09:00:00Z", title: "long" });
    await save({ time: "2026-11-21T08:00:00Z", title: "other", tables: ["orders"] });
    expect(await titlesOf(api, "?table=visits")).toEqual(["long", "later"]);
    expect(await titlesOf(api, "?from=2026-11-21T08:30:00Z&to=2026-11-21T10:00:00Z")).toEqual([
      "long",
    ]);
    expect(await titlesOf(api, "?from=2026-11-21T09:00:01Z")).toEqual(["later"]);
    for (const search of ["?from=soon", "?form=-3h", "?table="])
      expect((await send(api, `/annotations${search}`)).status, search).toBe(400);
    const refused = await save({ time: "now", title: "<b>", text: 5 });
    expect(refused).toMatchObject({ status: 400, json: { code: "invalid-query" } });
  }));

test("a reader sees annotations of tables with a grant, and no name of another table", () =>
  withApi({ settings: { auth: "users" } }, async (api) => {
    for (const role of ["admin", "editor"] as const) await addUser(api.access, role, role);
    const grants = [{ user: "editor", table: "visits" }];
    await api.access.grants.replace({ grants }, byTest);
    const [admin, editor] = [await cookieOf(api, "admin"), await cookieOf(api, "editor")];
    for (const [title, tables] of [
      ["both", ["secrets", "visits"]],
      ["hidden", ["secrets"]],
      ["all", []],
    ] as const) {
      const body = { time: "2026-11-21T10:00:00Z", title, tables };
      expect((await send(api, "/annotations", { cookie: admin, body })).status).toBe(201);
    }
    expect((await titlesOf(api, "", editor)).sort()).toEqual(["all", "both"]);
    const seen = await send(api, "/annotations?table=visits", { cookie: editor });
    expect(JSON.stringify(seen.json)).not.toContain("secrets");
    expect(await titlesOf(api, "?table=secrets", editor)).toEqual(["all"]);
    const { json } = await send(api, "/documents?kind=annotation", { cookie: editor });
    expect(JSON.stringify(json)).not.toMatch(/both|hidden/);
    const body = { time: "now", title: "mine", tables: ["secrets"] };
    expect(await send(api, "/annotations", { cookie: editor, body })).toMatchObject({
      status: 404,
      json: { code: "unknown-table" },
    });
  }));
