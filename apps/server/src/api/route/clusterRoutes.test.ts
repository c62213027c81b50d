import { apiBase, type MachineInfo } from "@hadal/sdk";
import { expect, test } from "vitest";
import type { ApiDeps } from "../context/deps.js";
import { withApi } from "../testing/startApi.js";

const machine: MachineInfo = {
  ...{ name: "m1", state: "draining", address: "m1:7401", version: "0.1.0", protocol: 2 },
  ...{ leaves: ["m1-leaf-1"], copies: [], rows: 7 },
};
const url = `${apiBase}/cluster/machines/m1/drain`;

test("a drain without a body, or with one, and its end; by whom is passed on", async () => {
  const calls: unknown[] = [];
  const drain: ApiDeps["drain"] = async (wanted, actor) => {
    calls.push([wanted, actor.who]);
    return machine;
  };
  await withApi({ deps: { drain } }, async ({ app }) => {
    for (const payload of [undefined, {}, { drain: true }, { drain: false }]) {
      const reply = await app.inject({ method: "POST", url, ...(payload && { payload }) });
      expect([reply.statusCode, reply.json()]).toEqual([200, machine]);
    }
    expect(calls).toEqual(
      [true, true, true, false].map((one) => [{ machine: "m1", drain: one }, null]),
    );
  });
});

test.each([
  ["another type", '{"drain":"no"}', "`drain` should be true or false."],
  ["an unknown field", '{"drain":true,"force":true}', '"force" is not known here.'],
  ["no object", "[]", "The body should be a JSON object."],
  ["no JSON", "{", "Line 1, column 2"],
])("a body of %s is refused", (_, payload, detail) =>
  withApi({}, async ({ app }) => {
    const headers = { "content-type": "application/json" };
    const reply = await app.inject({ method: "POST", url, payload, headers });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ code: "bad-request" });
    expect((reply.json() as { detail: string }).detail).toContain(detail);
  }),
);
