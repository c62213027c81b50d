import { apiBase, HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import { addUser, cookieOf } from "../testing/people.js";
import { type TestApi, withApi } from "../testing/startApi.js";

const byTest = { who: null, address: null };

test("a table without rows is set by those who may read all of it", () => {
  const set: string[] = [];
  const removed: string[] = [];
  const setTable = async (name: string): Promise<void> => void set.push(name);
  const removeSettings = async (name: string): Promise<boolean> => removed.push(name) > 0;
  const use = async (api: TestApi): Promise<void> => {
    await addUser(api.access, "ops", "operator");
    const filter = [{ column: "team", op: "=", value: "a" }] as const;
    const grants = [
      { user: "ops", table: "whole" },
      { user: "ops", table: "part", filter },
      { user: "ops", table: "columns", hiddenColumns: ["pay"] },
    ];
    await api.access.grants.replace({ grants }, byTest);
    const cookie = await cookieOf(api, "ops");
    const ask = async (method: "PUT" | "DELETE", table: string): Promise<string> => {
      const path = `${apiBase}/tables/${table}${method === "PUT" ? "/settings" : ""}`;
      const headers = { cookie, "content-type": "application/json" };
      const payload = method === "PUT" ? { payload: "{}" } : {};
      const reply = await api.app.inject({ method, url: path, headers, ...payload });
      return reply.statusCode === 200 ? "done" : (reply.json() as { code: string }).code;
    };
    for (const method of ["PUT", "DELETE"] as const) {
      expect(await ask(method, "whole")).toBe("done");
      expect(await ask(method, "part")).toBe("forbidden");
      expect(await ask(method, "columns")).toBe("forbidden");
      expect(await ask(method, "secret")).toBe("unknown-table");
    }
    expect([set, removed]).toEqual([["whole"], ["whole"]]);
  };
  return withApi({ settings: { auth: "users" }, deps: { setTable, removeSettings } }, use);
});

test("a table that cannot be looked for is not taken for a new one", () => {
  const refusal = new HadalError("registry-unavailable", { detail: "it is away" });
  const deps = { table: () => Promise.reject(refusal), setTable: () => expect.fail("it is set") };
  return withApi({ deps }, async ({ app }) => {
    const url = `${apiBase}/tables/t/settings`;
    const headers = { "content-type": "application/json" };
    const reply = await app.inject({ method: "PUT", url, headers, payload: "{}" });
    expect(reply.json()).toMatchObject({ code: "registry-unavailable" });
  });
});
