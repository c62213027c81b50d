import { expect, test } from "../fixtures/test.js";

test("Status shows members and load, and cancels a query that runs", async ({ page, hadal }) => {
  await page.goto(`${hadal.url}/status`);
  const leaves = page.getByTestId("member").filter({ hasText: "leaf-" });
  await expect(leaves).toHaveCount(2);
  await expect(leaves.first()).toContainText("alive");
  await expect(leaves.first().getByRole("meter")).toBeVisible();
  await expect(page.getByTestId("table-load")).toContainText("requests");
  const stages = page.getByTestId("stages").getByRole("row");
  await expect(stages).toHaveCount(6);
  await expect(stages.filter({ hasText: "open" })).toContainText(/[1-9]/);
  // The demo keeps sending rows: the rate is known after the second poll.
  await expect(page.getByTestId("table-load")).toContainText(/\d \/s/);

  await test.step("a query that waits for a leaf is listed as SQL and cancelled", async () => {
    const [leaf] = await hadal.leaves();
    if (leaf?.pid == null) throw new Error("the first leaf has no process");
    process.kill(leaf.pid, "SIGSTOP");
    try {
      const answer = hadal.client
        .query({
          table: "requests",
          from: "-10d",
          to: "now",
          filter: [{ column: "service", op: "=", value: "checkout" }],
          timeoutMs: 60_000,
        })
        .catch((error: { code?: string }) => error.code);
      const running = page.getByTestId("running-query").filter({ hasText: "service = 'checkout'" });
      await expect(running).toContainText("SELECT");
      await running.getByTestId("cancel-query").click();
      await expect(running).toHaveCount(0);
      expect(await answer).toBe("cancelled");
    } finally {
      process.kill(leaf.pid, "SIGCONT");
    }
  });
});
