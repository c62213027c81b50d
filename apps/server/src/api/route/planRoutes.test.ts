import { apiBase, type ClusterPlan, type PlanOptions } from "@hadal/sdk";
import { expect, test } from "vitest";
import { withApi } from "../testing/startApi.js";

const plan = `${apiBase}/plan`;

test("numbers, shape and table of the address are planned", () => {
  const asked: PlanOptions[] = [];
  const deps = {
    plan: async (options: PlanOptions) => {
      asked.push(options);
      return {} as ClusterPlan;
    },
  };
  return withApi({ deps }, async ({ app }) => {
    const numbers = "machines=20&leaves=8&fanOut=5&rows=1000&groups=7&copies=2";
    await app.inject(`${plan}?${numbers}&shape=groups&table=a%2Fb`);
    await app.inject(plan);
    expect(asked).toEqual([
      {
        ...{ machines: 20, leaves: 8, fanOut: 5, rows: 1_000, groups: 7, copies: 2 },
        ...{ shape: "groups", table: "a/b" },
      },
      {},
    ]);
  });
});

test.each([
  ["fanOut=1", '`fanOut` is "1"; it must be a whole number from 2 to 100.'],
  ["fanOut=1000", '`fanOut` is "1000"; it must be a whole number from 2 to 100.'],
  ["machines=0", '`machines` is "0"; it must be a whole number from 1 to 10000.'],
  ["machines=many", '`machines` is "many"'],
  ["rows=-5", '`rows` is "-5"'],
  ["rows=1.5", '`rows` is "1.5"'],
  ["shape=round", '`shape` is "round"; use scan or time-series or groups.'],
  ["fanout=5", '"fanout" is not known'],
  ["machines=2&machines=3", '"machines" is not known or given twice'],
])("%s is refused", (search, detail) =>
  withApi({}, async ({ app }) => {
    const reply = await app.inject(`${plan}?${search}`);
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      { code: "bad-request", detail: expect.stringContaining(detail) as string },
    ]);
  }),
);
