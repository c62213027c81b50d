import { expect, test } from "../fixtures/test.js";

const views = ["timeseries", "area", "table", "bar"];

test("keys alone: views, a filter, dive, the sheet of keys", async ({ page, hadal }) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries&group=service`,
  );
  const line = page.getByTestId("status-line");
  await expect(line).toHaveAttribute("data-final", "true");

  await test.step("1 to 4 switch the view", async () => {
    for (const [index, view] of views.entries()) {
      await page.keyboard.press(String(index + 1));
      await expect(page).toHaveURL(new RegExp(`view=${view}`));
      await expect(page.getByTestId(`view-${view}`)).toHaveAttribute("aria-pressed", "true");
    }
    await page.keyboard.press("3");
  });

  await test.step("w shows last week beside it, and no more", async () => {
    await page.keyboard.press("w");
    await expect(page).toHaveURL(/compare=7d/);
    await expect(page.getByTestId("compare-picker")).toHaveValue("7d");
    await page.keyboard.press("w");
    await expect(page).not.toHaveURL(/compare=/);
  });

  await test.step("/ adds a filter", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("status");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("filter-editor")).toBeVisible();
    await page.getByTestId("filter-operator").selectOption(">=");
    const value = page.getByTestId("filter-value").locator("input");
    await value.fill("500");
    await value.press("Enter");
    await expect(value).toHaveValue("");
    await value.press("Enter");
    await expect(page.getByTestId("filter-chip")).toContainText("500");
    await expect(page).toHaveURL(/filter=status(:|%3A)ge(:|%3A)500/);
  });

  await test.step("Enter dives: a newer answer", async () => {
    await expect(line).toHaveAttribute("data-busy", "false");
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const asOf = (await line.textContent()) ?? "";
    await expect(async () => {
      await page.keyboard.press("Enter");
      await expect(line).not.toHaveText(asOf, { timeout: 2_000 });
    }).toPass();
  });

  await test.step("? shows the keys, Escape hides them", async () => {
    await page.keyboard.press("?");
    await expect(page.getByTestId("keys-sheet")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("keys-sheet")).toHaveCount(0);
  });
});
