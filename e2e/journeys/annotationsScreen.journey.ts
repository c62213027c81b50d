import { axeFile, faultsOf } from "../fixtures/axe.js";
import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const ndjson = { contentType: "application/x-ndjson" };
const hourMs = 3_600_000;

test("annotations are made, changed and removed by hand, and come from a query", async ({
  page,
  pageErrors,
}) => {
  const hadal = await startHadal({ leaves: 1, demoRows: 0 });
  const nowMs = Date.now();
  const at = (ms: number, row: object) => JSON.stringify({ time: nowMs - ms, ...row });
  try {
    const visits = Array.from({ length: 600 }, (_, i) => at(i * 12_000, { city: "Aachen" }));
    await hadal.client.ingestBody("visits", visits.join("\n"), ndjson);
    const deploys = [
      at(hourMs, { env: "prod", version: "<i>v2</i>", notes: "Checkout" }),
      at(hourMs / 2, { env: "test", version: "v3", notes: "not yet" }),
    ];
    await hadal.client.ingestBody("deploys", deploys.join("\n"), ndjson);
    await page.addInitScript({ path: axeFile });

    await test.step("the palette leads to the screen, which says what it is for", async () => {
      await page.goto(`${hadal.url}/dashboards`);
      await expect(page.getByTestId("new-board")).toBeVisible();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("annotations");
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("empty-panel")).toContainText("No annotations yet");
    });

    await test.step("by hand, with the keyboard alone", async () => {
      await page.getByTestId("new-annotation").focus();
      await page.keyboard.press("Enter");
      await page.getByTestId("moment-title").focus();
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("annotation-sheet")).toContainText("Give it a title.");
      await page.keyboard.type("Incident <script>alert(1)</script>");
      await page.getByTestId("moment-time").fill("90 minutes ago");
      await page.getByTestId("moment-until").fill("80 minutes ago");
      await page.getByTestId("moment-tags").fill("web, ops");
      expect(await faultsOf(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("annotation-sheet")).toHaveCount(0);
      await expect(page.getByTestId("annotation-row")).toContainText("<script>alert(1)</script>");
      const [saved] = await hadal.client.annotations.list();
      expect(saved).toMatchObject({ tags: ["web", "ops"], tables: null });
      expect((saved?.untilMs ?? 0) - (saved?.timeMs ?? 0)).toBe(hourMs / 6);
    });

    await test.step("from a query, with what it finds", async () => {
      await page.getByTestId("new-annotation-query").click();
      await page.getByTestId("rows-title").fill("Releases");
      await page.getByTestId("rows-table").selectOption("deploys");
      await page.getByTestId("rows-title-column").selectOption("version");
      await page.getByTestId("rows-text-column").selectOption("notes");
      const preview = page.getByTestId("rows-preview");
      await expect(preview.getByRole("listitem")).toHaveCount(2);
      await page.getByTestId("filter-line").fill("env:prod");
      await page.keyboard.press("Enter");
      await expect(preview.getByRole("listitem")).toHaveCount(1);
      await expect(preview).toContainText("<i>v2</i>");
      await page.getByTestId("rows-tables-add").selectOption("visits");
      expect(await faultsOf(page)).toEqual([]);
      await page.getByTestId("save-annotation").click();
      await expect(page.getByTestId("annotation-query")).toContainText("deploys · env = prod");
    });

    await test.step("charts of the tables show both", async () => {
      await page.goto(`${hadal.url}/explore?v=1&table=visits&from=-2h&to=now&view=timeseries`);
      await expect(page.getByTestId("annotation")).toHaveCount(2);
      await page.getByTestId("annotation").last().focus();
      await expect(page.getByTestId("annotation").last()).toContainText("<i>v2</i>");
      await expect(page.getByTestId("annotations-lack")).toHaveCount(0);
    });

    await test.step("a query that cannot be asked is said on the chart", async () => {
      const [query] = (await hadal.client.annotations.listAll()).queries;
      const document = await hadal.client.documents.find(query?.id ?? "");
      const { title, body, version } = document;
      const gone = { ...body, titleColumn: "gone" };
      const draft = { kind: "annotation" as const, title, body: gone };
      await hadal.client.documents.save(document.id, draft, { version });
      await page.reload();
      await expect(page.getByTestId("annotations-lack")).toContainText("no “Releases”");
      await expect(page.getByTestId("annotation")).toHaveCount(1);
      expect(pageErrors.splice(0)).toEqual([expect.stringContaining("40")]);
    });

    await test.step("changed; another change meanwhile is not lost", async () => {
      await page.goto(`${hadal.url}/annotations`);
      const row = page.getByTestId("annotation-row");
      await row.getByTestId("edit-annotation").click();
      await page.getByTestId("moment-title").fill("Outage");
      const [one] = await hadal.client.annotations.list();
      const { id, body } = await hadal.client.documents.find(one?.id ?? "");
      await hadal.client.documents.save(id, { kind: "annotation", title: "Theirs", body });
      await page.getByTestId("save-annotation").click();
      await expect(page.getByTestId("annotation-problem")).toContainText("Another person");
      expect(pageErrors.splice(0)).toEqual([expect.stringContaining("412")]);
      await page.keyboard.press("Escape");
      await page.reload();
      await expect(row).toContainText("Theirs");
      await row.getByTestId("edit-annotation").click();
      await page.getByTestId("moment-title").fill("Outage");
      await page.getByTestId("save-annotation").click();
      await expect(row).toContainText("Outage");
    });

    await test.step("on a phone, light and dark; removed", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect(await faultsOf(page)).toEqual([]);
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(390);
      await page.getByRole("button", { name: "Delete Outage" }).click();
      await page.getByTestId("confirm").click();
      await expect(page.getByTestId("annotation-row")).toHaveCount(0);
      expect(await hadal.client.annotations.list()).toEqual([]);
    });
    await page.goto("about:blank");
  } finally {
    await hadal.stop();
  }
});
