import { expect, test } from "../fixtures/test.js";

test("views are in groups, have previews of the answer, and are chosen by keyboard", async ({
  page,
  hadal,
}) => {
  const query = "v=1&table=requests&from=-3h&to=now&view=timeseries&group=service";
  await page.goto(`${hadal.url}/explore?${query}`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  const picker = page.getByTestId("view-picker");
  await expect(picker).toContainText("Time series");
  await picker.focus();
  await page.keyboard.press("Enter");
  const list = page.getByTestId("view-list");
  for (const group of ["over time", "ranking", "distribution", "relation", "rows"])
    await expect(list.getByRole("region", { name: group })).toBeVisible();
  await expect(page.getByTestId("view-timeseries")).toBeFocused();
  for (const view of ["timeseries", "area", "bar"])
    await expect(page.getByTestId(`view-${view}`).locator("path").first()).toHaveAttribute(
      "d",
      /\d/,
    );

  await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("view-area")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(list).toHaveCount(0);
  await expect(page).toHaveURL(/view=area/);
  await expect(picker).toContainText("Stacked area");
});
