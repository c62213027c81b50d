import { chooseView } from "../fixtures/chooseView.js";
import { expect, test } from "../fixtures/test.js";

test("calendar: a cell is an hour of a day, and picking it zooms to that hour", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3d&to=now&view=timeseries&tz=Asia/Tokyo`,
  );
  await chooseView(page, "calendar");
  const chart = page.getByTestId("chart");
  await expect(chart).toHaveAttribute("aria-label", "Calendar of count by day and hour");
  await expect(page.getByTestId("ramp-legend")).toContainText("count");
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  await chart.focus();
  // The second day is always within the range.
  for (const key of ["Home", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  await expect(page.getByTestId("tip")).toContainText("count");
  await page.keyboard.press("Enter");
  await page.getByTestId("only-this").click();
  await expect(page).toHaveURL(/from=20\d\d-/);
  await expect(page).toHaveURL(/view=calendar/);
});

test("compared calendar: the legend has more, less and within the error bars", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-2d&to=now&view=calendar&compare=7d`,
  );
  await expect(page.getByTestId("ramp-legend")).toContainText("less");
  await expect(page.getByTestId("ramp-legend")).toContainText("within the error bars");
});
