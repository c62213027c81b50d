import type { ClusterInfo, LeafCopy, MachineInfo } from "@hadal/sdk";
import type { Page } from "@playwright/test";
import { axeFile, faultsOf } from "../fixtures/axe.js";
import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const query = { table: "requests", from: "-10d", to: "now" } as const;

test("a single machine is listed, and the tree of the last query is drawn", async ({ page }) => {
  const hadal = await startHadal({ leaves: 2, demoRows: 5_000 });
  try {
    await hadal.client.query(query);
    await page.goto(`${hadal.url}/status`);
    await expect(page.getByTestId("machine")).toHaveCount(1);
    await expect(page.getByTestId("machine")).toContainText("alive");
    // There is no other one that would take rows.
    await expect(page.getByRole("button", { name: /^Drain/ })).toHaveCount(0);
    await expect(page.getByTestId("cluster-sentence")).toHaveCount(0);
    const nodes = page.getByTestId("query-tree-node");
    await expect(nodes).toHaveCount(3);
    await expect(nodes.first()).toHaveText(/^gateway/);
    for (const leaf of ["leaf-1", "leaf-2"]) {
      await expect(nodes.filter({ hasText: leaf })).toHaveText(/\d (ms|µs|s)/);
    }

    const [leaf] = await hadal.leaves();
    process.kill(leaf!.pid!, "SIGSTOP");
    try {
      await hadal.client.query({ ...query, groupBy: ["service"], timeoutMs: 1_000 });
      await expect(nodes.filter({ hasText: "no answer" })).toHaveText([new RegExp(`^${leaf!.id}`)]);
    } finally {
      process.kill(leaf!.pid!, "SIGCONT");
    }
  } finally {
    await page.goto("about:blank");
    await hadal.stop();
  }
});

const machine = (name: string, given: Partial<MachineInfo> = {}): MachineInfo => ({
  ...{ name, state: "alive", address: `10.0.0.${name.slice(1)}:7401`, version: "0.1.0" },
  ...{ protocol: 2, leaves: [1, 2].map((n) => `${name}-leaf-${n}`), rows: 1_234_567, copies: [] },
  ...given,
});
const copy = (leaf: string, holder: string, state: LeafCopy["state"]): LeafCopy => ({
  ...{ leaf, machine: holder, state, lagMs: state === "whole" ? 0 : null },
});

/** Four machines: one is drained, one dead; a copy is being built, and the registry is away. */
const troubled: ClusterInfo = {
  machines: [
    machine("m1", { copies: [copy("m2-leaf-1", "m1", "whole"), copy("m4-leaf-1", "m1", "whole")] }),
    machine("m2", { copies: [copy("m1-leaf-2", "m2", "building")] }),
    machine("m3", { state: "draining" }),
    machine("m4", { state: "dead", rows: 0 }),
  ],
  tree: {
    atMs: Date.UTC(2026, 1, 1, 12),
    nodes: [
      { id: "gateway", role: "gateway", mergeMs: 1.2 },
      ...["m1", "m2", "m3", "m4"].map((id) => ({ id, role: "aggregator" as const, mergeMs: 0.4 })),
      ...["m1", "m2", "m3"].flatMap((name) =>
        [1, 2].map((n) => ({ id: `${name}-leaf-${n}`, role: "leaf" as const, mergeMs: 0 })),
      ),
    ],
    edges: [
      { from: "gateway", to: "m1", waitMs: 14.2 },
      { from: "m1", to: "m1-leaf-1", waitMs: 8.1 },
      { from: "m1", to: "m1-leaf-2", waitMs: 7.7 },
      { from: "m1", to: "m2", waitMs: 12.9 },
      { from: "m2", to: "m2-leaf-1", waitMs: 9.9 },
      { from: "m2", to: "m2-leaf-2", waitMs: 12.1 },
      { from: "gateway", to: "m4", waitMs: null },
      { from: "m4", to: "m3", waitMs: 11 },
      { from: "m3", to: "m3-leaf-1", waitMs: 8.8 },
      { from: "m3", to: "m3-leaf-2", waitMs: 9.2 },
    ],
  },
  registryProblem: "connect ECONNREFUSED 10.0.0.9:5432",
};

/** Shows this state, whatever the server's is; what is posted comes back. */
async function show(page: Page, shown: () => ClusterInfo): Promise<string[]> {
  const posted: string[] = [];
  await page.route("**/api/v1/cluster", (route) => route.fulfill({ json: shown() }));
  await page.route("**/api/v1/cluster/machines/*/drain", (route) => {
    const [, name = ""] = /machines\/([^/]+)\//.exec(route.request().url()) ?? [];
    posted.push(`${name} ${route.request().postData()}`);
    return route.fulfill({ json: shown().machines[0] });
  });
  return posted;
}

test("what is not whole is said, and a machine is drained after a second question, by keyboard", async ({
  page,
  hadal,
}) => {
  let shown = troubled;
  const posted = await show(page, () => shown);
  await page.goto(`${hadal.url}/status`);
  await expect(page.getByTestId("cluster-sentence")).toHaveText([
    /^The registry cannot be reached \(connect ECONNREFUSED/,
    /^m3 is draining: new rows go to other machines, and it answers for its 1.23 M rows/,
    /^m4 is dead: answers lack the rows of m4-leaf-2, and say so\./,
    "A copy of m1-leaf-2 is being built on m2.",
  ]);
  const nodes = page.getByTestId("query-tree-node");
  await expect(nodes).toHaveCount(11);
  await expect(nodes.filter({ hasText: "no answer" })).toHaveText([/^m4/]);

  await page.getByRole("button", { name: "Drain m2" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Send no more rows to m2" })).toBeFocused();
  await page.keyboard.press("Escape");
  expect(posted).toEqual([]);
  await page.getByRole("button", { name: "Drain m2" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect.poll(() => posted).toEqual(['m2 {"drain":true}']);

  shown = { ...troubled, machines: [machine("m1"), machine("m3", { state: "drained" })] };
  await expect(page.getByText("m3 is drained: it may be stopped")).toBeVisible();
  await expect(page.getByText("takes all rows")).toBeVisible();
  await page.getByRole("button", { name: "Take rows again m3" }).click();
  await page.getByRole("button", { name: "Send rows to m3 again" }).click();
  await expect.poll(() => posted).toContain('m3 {"drain":false}');
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`${colorScheme}: machines in trouble pass the checks of axe, on a phone, too`, async ({
    page,
    hadal,
  }) => {
    await show(page, () => troubled);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.addInitScript({ path: axeFile });
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${hadal.url}/status`);
      await expect(page.getByTestId("query-tree")).toBeVisible();
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
}
