import { expect, test } from "../fixtures/test.js";

test("U3, C13, S97: the columns of an unknown table: counts over all matching rows, search, filters and groups", async ({
  page,
  hadal,
}) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-7d&to=now&view=table&group=service`,
  );
  const columns = page.getByRole("region", { name: "Columns" });
  const facet = (name: string) =>
    columns.getByRole("listitem").filter({ has: page.getByTitle(new RegExp(`^${name}: `)) });
  await expect(columns).toHaveAttribute("aria-busy", "false");

  await test.step("columns of the query come first; fill and distinct counts are shown", async () => {
    await expect(columns.getByTestId("facet").first()).toContainText("service");
    await expect(facet("service").getByTestId("facet-distinct")).toHaveText(/^\d+$/);
    await expect(facet("device").getByTestId("facet-fill")).toContainText("%");
  });
  await test.step("values have shares, and one click keeps only one value", async () => {
    await facet("device").getByRole("button").first().click();
    const value = facet("device").getByTestId("facet-value");
    await expect(value.first()).toContainText("%");
    const { count } = (
      await hadal.client.facets({ table: "requests", from: "-7d", to: "now", columns: ["device"] })
    ).columns[0]?.values?.[0] ?? { count: 0 };
    expect(count).toBeGreaterThan(0);
    const name = (await value.first().getByTitle(/./).first().textContent()) ?? "";
    await value.first().getByRole("button", { name: "Only" }).click();
    await expect(page.getByTestId("filter-chip")).toContainText(`device = ${name}`);
    // The counts follow the filter.
    await expect(facet("device").getByTestId("facet-value")).toHaveCount(1);
    await expect(facet("device").getByTestId("facet-value")).toContainText("100 %");
  });
  await test.step("values are searched, and more of them loaded", async () => {
    await facet("endpoint").getByRole("button").first().click();
    await expect(facet("endpoint").getByTestId("facet-value")).toHaveCount(10);
    await facet("endpoint").getByTestId("facet-more").click();
    await expect(facet("endpoint").getByTestId("facet-value").nth(12)).toBeVisible();
    await facet("endpoint").getByTestId("facet-value-search").fill("search");
    await expect(facet("endpoint").getByTestId("facet-value").first()).toContainText("search");
    const found = await facet("endpoint").getByTestId("facet-value").allTextContents();
    expect(found.every((text) => text.includes("search"))).toBe(true);
  });
  await test.step("columns are searched and grouped by", async () => {
    await page.getByTestId("facet-search").fill("countr");
    await expect(columns.getByTestId("facet")).toHaveCount(1);
    await columns.getByRole("button", { name: "Group by country" }).click();
    await expect(page.getByTestId("group-chip").nth(1)).toContainText("country");
  });
});

test("U7: a table of a thousand columns scrolls, and answers hundreds of queries over dozens of columns", async ({
  page,
  hadal,
}) => {
  const wide = Object.fromEntries(Array.from({ length: 990 }, (_, i) => [`column_${i}`, i]));
  const writer = hadal.client.ingest("wide");
  await writer.push({ time: Date.now() - 1_000, ...wide });
  expect((await writer.close()).accepted).toBe(1);
  await page.goto(`${hadal.url}/explore?v=1&table=wide&from=-3h&to=now&view=table`);
  const columns = page.getByRole("region", { name: "Columns" });
  await expect(columns.getByTestId("facet").first()).toBeVisible();
  expect(await columns.getByTestId("facet").count()).toBeLessThan(120);
  await page.getByTestId("facet-search").fill("column_98");
  await expect(columns.getByTestId("facet")).toHaveCount(11);

  // A bug monitor: a few hundred queries, each with the maximum number of columns.
  const ask = (nth: number) =>
    hadal.client.query({
      ...{ table: "wide", from: "-3h", to: "now", exact: true },
      groupBy: Array.from({ length: 16 }, (_, i) => `column_${(nth * 16 + i) % 990}`),
      aggregates: [{ fn: "count" }],
    });
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => ask(round * 10 + i)));
    for (const [i, { columns: asked, rows }] of answers.entries()) {
      const first = ((round * 10 + i) * 16) % 990;
      const count = asked.findIndex(({ name }) => name === "count");
      expect(rows).toHaveLength(1);
      expect([rows[0]?.[0], rows[0]?.[count]]).toEqual([first, 1]);
    }
  }
});
