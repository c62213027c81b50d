import type { Page } from "@playwright/test";
import { savedPath, saveQuery } from "../fixtures/saveQuery.js";
import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { expect, test as shared } from "../fixtures/test.js";

/** Saved queries change what every journey sees: this Hadal is not shared. */
const test = shared.extend<object, { own: Hadal }>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const own = await startHadal({ leaves: 1, demoRows: 5_000 });
      await use(own);
      await own.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

const titleOf = (page: Page) => page.getByTestId("saved-title");
const versionOf = (page: Page) => page.getByTestId("open-versions");

test("by keys alone: a query is saved, found, changed, saved again, reverted and restored", async ({
  page,
  own,
}) => {
  await page.goto(own.url + savedPath);
  await expect(page.getByTestId("result-table")).toBeVisible();

  await test.step("Ctrl S names and saves it; the address keeps its id", async () => {
    await page.keyboard.press("Control+s");
    await expect(page.getByTestId("save-title")).toBeFocused();
    await page.keyboard.type("Requests by service");
    await page.keyboard.press("Enter");
    await expect(titleOf(page)).toHaveText("Requests by service");
    await expect(page).toHaveURL(/compare=7d.*&saved=[0-9a-f-]{36}/);
    await expect(page.getByTestId("differs")).toHaveCount(0);
    await page.keyboard.press("Control+s");
    await expect(page.getByTestId("saved-note")).toHaveText("Nothing has changed since version 1.");
  });

  await test.step("an edit differs, Ctrl S saves version 2", async () => {
    await page.keyboard.press("w");
    await expect(page.getByTestId("differs")).toBeVisible();
    await page.keyboard.press("Control+s");
    await expect(page.getByTestId("saved-note")).toHaveText("Saved as version 2.");
    await expect(page.getByTestId("differs")).toHaveCount(0);
  });

  await test.step("the palette opens it in another place", async () => {
    await page.goto(`${own.url}/status`);
    await expect(page.getByRole("heading", { name: "Status" })).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused();
    await page.keyboard.type("requests by service");
    await expect(page.getByRole("option", { name: "Requests by service" })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(titleOf(page)).toHaveText("Requests by service");
    await expect(page.getByTestId("result-table")).toBeVisible();
    expect(page.url()).not.toContain("compare=");
  });

  await test.step("Revert brings back what was saved, Undo brings back the edit", async () => {
    await page.keyboard.press("1");
    await expect(page.getByTestId("differs")).toBeVisible();
    await page.getByTestId("revert").press("Enter");
    await expect(page).toHaveURL(/view=table/);
    await expect(page.getByTestId("differs")).toHaveCount(0);
    await page.keyboard.press("Control+z");
    await expect(page).toHaveURL(/view=timeseries/);
    await page.getByTestId("revert").press("Enter");
  });

  await test.step("the first version is compared side by side and restored as version 3", async () => {
    await versionOf(page).press("Enter");
    const differences = page.getByTestId("differences");
    await expect(differences.getByText("Compare", { exact: true })).toBeVisible();
    await expect(differences.locator("del").first()).toHaveText("7d");
    await expect(page.getByTestId("sql-differences").locator("del")).toContainText("COMPARE");
    await page.getByTestId("version-list").getByRole("button").nth(1).press("Enter");
    await page.getByTestId("restore").press("Enter");
    await expect(page.getByTestId("saved-note")).toHaveText("Saved as version 3.");
    await expect(page).toHaveURL(/compare=7d/);
    await expect(page.getByTestId("differs")).toHaveCount(0);
  });
});

test("a save after another one shows both and lets the reader choose", async ({
  page,
  own,
  pageErrors,
}) => {
  const saved = await saveQuery(own, "Shared");
  await page.goto(`${own.url}/saved/${saved.id}`);
  await expect(titleOf(page)).toHaveText("Shared");
  const { body } = saved;
  const saveElsewhere = async (title: string): Promise<void> => {
    await own.client.documents.save(saved.id, { kind: "query", title, body });
  };
  await saveElsewhere("Shared by two");
  await page.keyboard.press("w");
  await expect(page.getByTestId("differs")).toBeVisible();

  await test.step("mine is saved on top of theirs", async () => {
    await page.keyboard.press("Control+s");
    const conflict = page.getByTestId("conflict");
    await expect(conflict).toContainText("Version 2 of Shared by two was saved before yours");
    await expect(conflict.locator("ins").first()).toBeVisible();
    await page.getByTestId("conflict-mine").click();
    await expect(conflict).toHaveCount(0);
    await expect(versionOf(page)).toContainText("version 3");
  });

  await test.step("theirs is shown, and mine is one step back", async () => {
    await saveElsewhere("Theirs");
    await page.keyboard.press("1");
    await page.keyboard.press("Control+s");
    await page.getByTestId("conflict-theirs").click();
    await expect(titleOf(page)).toHaveText("Theirs");
    await expect(page).toHaveURL(/view=table/);
    await expect(page.getByTestId("differs")).toHaveCount(0);
    await page.keyboard.press("Control+z");
    await expect(page).toHaveURL(/view=timeseries/);
  });
  expect(pageErrors.splice(0).every((error) => error.includes("412"))).toBe(true);
});

test("the query of a link whose saved query is gone still works", async ({
  page,
  own,
  pageErrors,
}) => {
  const saved = await saveQuery(own, "Gone soon");
  await own.client.documents.delete(saved.id);
  await page.goto(`${own.url}${savedPath}&saved=${saved.id}`);
  await expect(page.getByTestId("saved-line")).toHaveAttribute("data-kind", "gone");
  await expect(page.getByTestId("result-table")).toBeVisible();
  await page.getByTestId("detach").click();
  await expect(page.getByTestId("saved-line")).toHaveCount(0);
  await page.goto(`${own.url}/saved/${saved.id}`);
  await expect(page.getByTestId("error-panel")).toContainText("does not exist");
  expect(pageErrors.splice(0).every((error) => error.includes("404"))).toBe(true);
});

test("the list by keys: search, rename, delete, open; on a phone in the dark, too", async ({
  page,
  own,
}) => {
  await page.setViewportSize({ width: 390, height: 780 });
  await page.emulateMedia({ colorScheme: "dark" });
  await saveQuery(own, "Alpha errors");
  await saveQuery(own, "Beta errors");
  await page.goto(`${own.url}/saved`);
  const rows = page.getByTestId("saved");
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  await expect(link("Alpha errors")).toBeVisible();
  await expect(rows.filter({ hasText: "Alpha errors" })).toContainText("requests");

  await page.keyboard.press("/");
  await page.keyboard.type("errors");
  await expect(rows).toHaveCount(2);
  await page.keyboard.press("ArrowDown");
  await expect(link("Beta errors")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("F2");
  await page.keyboard.type("Gamma errors");
  await page.keyboard.press("Enter");
  await expect(link("Gamma errors")).toBeVisible();

  await link("Beta errors").focus();
  await page.keyboard.press("Delete");
  await expect(page.getByTestId("confirm-delete")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("saved-outcome")).toContainText("“Beta errors” is deleted.");
  await expect(rows).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await link("Gamma errors").press("Enter");
  await expect(titleOf(page)).toHaveText("Gamma errors");
  await expect(page.getByTestId("result-table")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
