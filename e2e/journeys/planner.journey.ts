import { axeFile, faultsOf } from "../fixtures/axe.js";
import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const series = {
  ...{ table: "requests", from: "-10d", to: "now" },
  groupBy: [{ time: "1h" }, "service"],
} as const;

test("Planner predicts larger clusters from measured queries; its address holds the form", async ({
  page,
  hadal,
}) => {
  await hadal.client.query(series);
  await page.goto(`${hadal.url}/status`);
  await page.getByRole("link", { name: "Planner" }).click();
  await expect(page.getByTestId("plan-levels")).toHaveText(/1 machine\s*2 leaves/);
  await expect(page.getByTestId("plan-parts")).toContainText("T_S");

  await test.step("20 machines with fan-out 5: two levels above them (S112)", async () => {
    await page.getByTestId("plan-machines").fill("20");
    await page.getByTestId("plan-leaves").fill("8");
    await expect(page.getByTestId("plan-levels").getByRole("listitem")).toHaveText([
      ...["root", "5 aggregators", "20 machines", "160 leaves"],
    ]);
    await expect(page.getByTestId("plan-parts")).toContainText("(5 + 4 + 8) ·");
    await expect(page.getByTestId("plan-note").first()).toContainText("inside one machine");
    await expect(page).toHaveURL(/\/status\/planner\?machines=20&leaves=8$/);
  });

  await test.step("the figures are the server's", async () => {
    const plan = await hadal.client.plan({ machines: 20, leaves: 8, shape: "time-series" });
    const { ts, ta, td, tg } = plan.measured;
    if (ts === null || ta === null || td === null || tg === null) throw new Error("not measured");
    expect(plan.predictedMs).toBeCloseTo(ts + 2 * (td + tg) + (5 + 4 + 8) * ta, 6);
    await expect(page.getByTestId("planner-screen")).toContainText("bytes a row, as in requests");
  });

  await test.step("another cluster is one click away, by keyboard too", async () => {
    const machines = page.getByTestId("plan-other-machines");
    await machines.getByRole("link", { name: "21", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("plan-machines")).toHaveValue("21");
    await expect(page.getByTestId("plan-rows")).toHaveValue(/^\d+$/);
    await page.reload();
    await expect(page.getByTestId("plan-levels")).toContainText("21 machines");
  });

  await test.step("a number out of bounds says so at its field, and asks nothing", async () => {
    await page.getByTestId("plan-fanOut").fill("1");
    await expect(page.getByText("It must be a whole number from 2 to 100.")).toBeVisible();
    await page.getByTestId("plan-fanOut").fill("2");
    await expect(page.getByTestId("plan-levels").getByRole("listitem")).toHaveCount(7);
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`${colorScheme}: the planner passes the checks of axe, on a phone, too`, async ({
    page,
    hadal,
  }) => {
    await hadal.client.query(series);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.addInitScript({ path: axeFile });
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${hadal.url}/status/planner?machines=130&leaves=8`);
      await expect(page.getByTestId("plan-parts")).toBeVisible();
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
}

test("without rows and queries the planner has the tree, and says what was not measured", async ({
  page,
}) => {
  const hadal = await startHadal({ leaves: 1, demoRows: 0, waitsForDemo: false });
  try {
    // Before the leaf is connected the tables are not known: 503.
    await expect.poll(() => hadal.client.tables().catch(() => null)).toEqual([]);
    await page.goto(`${hadal.url}/status/planner?machines=6`);
    await expect(page.getByTestId("plan-levels")).toContainText("6 machines");
    await expect(page.getByTestId("plan-note")).toHaveText([
      /Nothing has been measured yet/,
      /memory of a row is not known/,
    ]);
    await expect(page.getByTestId("planner-screen")).toContainText("not measured");
    await expect(page.getByTestId("plan-parts")).toHaveCount(0);
  } finally {
    await page.goto("about:blank");
    await hadal.stop();
  }
});

test("the receipt of an answer shows predicted beside measured", async ({ page, hadal }) => {
  await hadal.client.query({ table: "requests", from: "-10d", to: "now", groupBy: ["service"] });
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-10d&to=now&view=table&agg=count&group=service`,
  );
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  await page.getByTitle("About this answer").click();
  const detail = page.getByTestId("status-detail");
  await expect(detail).toContainText(/predicted time\d.* from earlier queries like it/);
  await expect(detail).toContainText(
    /rootasked 2 · waited [\d.]+ (ms|µs|s) · merged [\d.]+ (ms|µs)/,
  );
});
