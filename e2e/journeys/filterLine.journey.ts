import { expect, test } from "../fixtures/test.js";

test("the filter line becomes chips, and chips become the line", async ({ page, hadal }) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=table&group=service`,
  );
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  const line = page.getByTestId("filter-line");
  const chips = page.getByTestId("filter-chip");

  await test.step("typed", async () => {
    await line.fill('status>=500 latency_us>1ms service:web,cart -country:DE "req="');
    await line.press("Enter");
    await expect(chips).toHaveText([
      /^status ≥ 500/,
      /^latency_us > 1000/,
      /^service in web, cart/,
      /^country ≠ DE or missing/,
      /^message contains req=/,
    ]);
    await expect(page).toHaveURL(/filter=latency_us:gt:1000/);
    await expect(line).toHaveValue(
      'status>=500 latency_us>1000 service:web,cart -country:DE "req="',
    );
  });

  await test.step("an error is shown with its position, and no query runs", async () => {
    const before = page.url();
    await line.fill("status>=500 servize:web");
    await line.press("Enter");
    await expect(page.getByRole("alert")).toContainText(
      'Character 13: there is no column "servize"',
    );
    expect(page.url()).toBe(before);
    await line.press("Escape");
    await expect(line).toHaveValue(/^status>=500 latency_us/);
  });

  await test.step("a chip that is turned off is not in the line", async () => {
    await chips.first().getByRole("button").first().click();
    await page.getByTestId("filter-off").click();
    await expect(line).toHaveValue(/^latency_us>1000/);
    await line.fill("service:web");
    await line.press("Enter");
    await expect(chips).toHaveCount(2);
    await expect(page).toHaveURL(/off=status:ge:500/);
  });
});
