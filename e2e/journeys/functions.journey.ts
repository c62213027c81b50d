import { expect, test } from "../fixtures/test.js";

test("a function is written, its fault marked, run, saved, used in a query, and deleted", async ({
  page,
  hadal,
  pageErrors,
}) => {
  await page.goto(`${hadal.url}/functions`);
  const editor = page.getByTestId("code-editor").getByRole("textbox");
  const write = async (source: string): Promise<void> => {
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(source);
  };

  await test.step("the columns of the table are completed after row.", async () => {
    const options = page.getByTestId("code-editor").getByRole("listbox");
    // A list that has just opened ignores Enter, so the choice is repeated.
    await expect(async () => {
      await write("(row) => row.");
      await page.keyboard.type("lat");
      await expect(options).toContainText("latency_us");
      await page.keyboard.press("Enter");
      await expect(editor).toContainText("row.latency_us", { timeout: 1000 });
    }).toPass();
  });

  await test.step("a fault is marked at its position", async () => {
    await write("(row) => {\n  return row.latency_us +;\n}");
    await page.getByTestId("run-function").click();
    await expect(page.getByTestId("function-outcome")).toContainText("ine 2");
    const marks = page.getByTestId("code-editor").locator(".cm-lintRange-error");
    await expect(marks).toHaveCount(1);
    expect(pageErrors.splice(0).join()).toMatch(/^(Failed to load resource.*400.*)?$/);
  });

  await test.step("it runs on the newest rows, by key too, and its console is shown", async () => {
    await write(
      '(row) => {\n  console.log("saw", row.status);\n  return row.latency_us > 50000 ? "slow" : "fast";\n}',
    );
    await page.keyboard.press("Control+Enter");
    await expect(page.getByTestId("trial")).toContainText(/fast|slow/);
    await expect(page.getByTestId("console")).toContainText("saw ");
  });

  await test.step("the first save is version 1, the next is version 2", async () => {
    await page.getByTestId("save-function").click();
    await expect(page.getByTestId("function-outcome")).toContainText("name");
    await page.getByTestId("function-name").fill("pace");
    await page.getByTestId("save-function").click();
    await expect(page).toHaveURL(`${hadal.url}/functions/pace`);
    await expect(page.getByTestId("function-list")).toContainText("v1");
    await write('(row) => row.latency_us > 50000 ? "slow" : "fast"');
    await page.getByTestId("save-function").click();
    await expect(page.getByTestId("function-list")).toContainText("v2");
  });

  await test.step("a query groups by it", async () => {
    await page.getByTestId("use-function").click();
    await expect(page).toHaveURL(/derive=.*pace/);
    await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
    await expect(page.getByTestId("result-table")).toContainText("fast");
    await expect(page.getByTestId("result-table")).toContainText("slow");
  });

  await test.step("a deleted function disappears, examples stay", async () => {
    await page.goto(`${hadal.url}/functions/pace`);
    await page.getByTestId("delete-function").click();
    await expect(page).toHaveURL(`${hadal.url}/functions`);
    await expect(page.getByTestId("function-list")).not.toContainText("pace");
    await page.getByRole("link", { name: /covariance/ }).click();
    await expect(page.getByTestId("delete-function")).toHaveCount(0);
    await page.getByTestId("run-function").click();
    await expect(page.getByTestId("trial")).toContainText(/\d/);
  });
});
