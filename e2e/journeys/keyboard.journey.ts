import { holdBack } from "../fixtures/holdBack.js";
import { expect, test } from "../fixtures/test.js";

const views = ["timeseries", "area", "table", "bar"];

test("by keyboard: views, a filter, dive, the sheet of keys", async ({ page, hadal }) => {
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries&group=service`,
  );
  const line = page.getByTestId("status-line");
  await expect(line).toHaveAttribute("data-final", "true");

  await test.step("1 to 4 switch the view", async () => {
    for (const [index, view] of views.entries()) {
      await page.keyboard.press(String(index + 1));
      await expect(page).toHaveURL(new RegExp(`view=${view}`));
      await expect(page.getByTestId("view-picker")).toHaveAttribute("data-view", view);
    }
    await page.keyboard.press("3");
  });

  await test.step("w turns the comparison with last week on and off", async () => {
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

test("keys typed while a part of the page loads are passed to it", async ({ page, hadal }) => {
  const letGo = await holdBack(page, /assets\/(PopupBox|CommandPalette)-.*\.js/);
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  const standIn = page.getByTestId("stand-in");

  await test.step("Escape closes a part that is still loading, and restores the focus", async () => {
    await page.keyboard.press("t");
    await page.keyboard.type("-6h");
    await expect(standIn).toHaveValue("-6h");
    await page.keyboard.press("Escape");
    await expect(standIn).toHaveCount(0);
    await expect(page.getByTestId("time-range")).toBeFocused();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("bars");
    await expect(standIn).toHaveValue("bars");
    await page.keyboard.press("Escape");
    await expect(standIn).toHaveCount(0);
    await expect(page).toHaveURL(/view=timeseries/);
  });

  await test.step("a column, Enter, and the first digits of a value", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("status");
    await page.keyboard.press("Enter");
    await page.keyboard.type("50x");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Delete");
    await expect(standIn).toHaveValue("50");
    letGo();
    await expect(page.getByTestId("filter-editor")).toContainText("status");
    await expect(standIn).toHaveCount(0);
    const value = page.getByTestId("filter-value").locator("input");
    await expect(value).toHaveValue("50");
    await expect(value).toBeFocused();
    // The caret keeps its position.
    await page.keyboard.type("0");
    await expect(value).toHaveValue("500");
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("add-filter")).toBeFocused();
  });

  await test.step("a loaded part takes its keys at once", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("group country");
    await expect(page.getByTestId("palette")).toContainText("country");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/group=country/);
    await page.keyboard.press("g");
    await page.keyboard.type("serv");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/group=country.*group=service/);
  });
});

test("keys typed during the handover keep their order", async ({ page, hadal }) => {
  const letGo = await holdBack(page, /assets\/PopupBox-.*\.js/);
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  await page.keyboard.press("g");
  await page.keyboard.type("serv");
  await expect(page.getByTestId("stand-in")).toHaveValue("serv");
  letGo();
  const rest = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(4);
  await page.keyboard.type(rest);
  await expect(page.getByTestId("stand-in")).toHaveCount(0);
  await expect(page.locator("input:focus")).toHaveValue(`serv${rest}`);
});

test("Tab leaves and closes a popup, and continues from its control", async ({ page, hadal }) => {
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  const control = page.getByTestId("time-range");
  const popup = page.locator('[role="dialog"]');
  const open = async (): Promise<void> => {
    await control.focus();
    await page.keyboard.press("Enter");
    await expect(popup).toBeVisible();
    await expect(popup.locator(":focus")).toHaveCount(1);
  };
  /** The position of the focus relative to the control. */
  const side = () =>
    control.evaluate((element) => {
      const { activeElement } = document;
      if (activeElement === element) return "control";
      if (activeElement === null || activeElement === document.body) return "nowhere";
      const isAfter =
        element.compareDocumentPosition(activeElement) & Node.DOCUMENT_POSITION_FOLLOWING;
      return isAfter && activeElement.closest("aside") !== null ? "after" : "elsewhere";
    });

  const leaveBy = async (key: string): Promise<void> => {
    await open();
    const isInside = async () => (await popup.locator(":focus").count()) > 0;
    do await page.keyboard.press(key);
    while (await isInside());
    await expect(popup).toHaveCount(0);
  };

  await test.step("forward: to the element after the control", async () => {
    await leaveBy("Tab");
    expect(await side()).toBe("after");
  });

  await test.step("backward: to the control", async () => {
    await leaveBy("Shift+Tab");
    expect(await side()).toBe("control");
  });
});

test("Enter then Escape before the popup has loaded: the choice applies, and the popup closes", async ({
  page,
  hadal,
}) => {
  const letGo = await holdBack(page, /assets\/PopupBox-.*\.js/);
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=rows`);
  const columns = page.getByTestId("add-column");
  const standIn = page.getByTestId("stand-in");
  await columns.click();
  await page.keyboard.type("device");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(standIn).toBeVisible();
  letGo();
  await expect(page).toHaveURL(/column=device/);
  await expect(standIn).toHaveCount(0);
  await expect(columns).toHaveAttribute("aria-expanded", "false");
});

test("Enter before the columns are loaded applies when they are", async ({ page, hadal }) => {
  const letGo = await holdBack(page, /api\/v1\/tables\/requests$/);
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=table`);
  await page.getByTestId("add-group").click();
  const list = page.getByTestId("group-column");
  await expect(list).toContainText("Loading columns…");
  await page.keyboard.type("features");
  await page.keyboard.press("Enter");
  letGo();
  await expect(page.getByTestId("group-chip")).toContainText("each of features");
  await expect(list).toHaveCount(0);
});

test("Enter then Escape before the columns are loaded: the choice applies, and the popup closes", async ({
  page,
  hadal,
}) => {
  const letGo = await holdBack(page, /api\/v1\/tables\/requests$/);
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=rows`);
  const columns = page.getByTestId("add-column");
  const list = page.getByTestId("column-pick");
  await columns.click();
  await expect(list).toContainText("Loading columns…");
  await page.keyboard.type("device");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(list).toBeVisible();
  letGo();
  await expect(page).toHaveURL(/column=device/);
  await expect(list).toHaveCount(0);
  await expect(columns).toBeFocused();
});

test("a second Escape cancels a choice that waits for the columns", async ({ page, hadal }) => {
  const letGo = await holdBack(page, /api\/v1\/tables\/requests$/);
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=rows`);
  const list = page.getByTestId("column-pick");
  await page.getByTestId("add-column").click();
  await expect(list).toContainText("Loading columns…");
  await page.keyboard.type("device");
  for (const key of ["Enter", "Escape", "Escape"]) await page.keyboard.press(key);
  await expect(list).toHaveCount(0);
  letGo();
  await page.getByTestId("add-column").click();
  await expect(list).toContainText("device");
  await expect(page.getByTestId("column-chip")).toHaveCount(0);
  expect(page.url()).not.toContain("column=");
});

test("a focus moved while a popup closes is not reset to its control", async ({ page, hadal }) => {
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=table`);
  await page.getByTestId("add-derive").click();
  await page.getByTestId("derive-name").fill("slow");
  await page.getByTestId("derive-text").fill("latency_us > 50000");
  const dive = page.getByTestId("dive");
  await page.getByTestId("derive-apply").evaluate((apply: HTMLElement) => {
    apply.click();
    document.querySelector<HTMLElement>("[data-testid='dive']")?.focus();
  });
  await expect(page.getByTestId("derive-apply")).toHaveCount(0);
  await expect(dive).toBeFocused();
});

test("a key right after the Escape that closes a popup goes to the page", async ({
  page,
  hadal,
}) => {
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=timeseries`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  const time = page.getByTestId("time-range");
  const sheet = page.getByTestId("keys-sheet");
  for (let turn = 0; turn < 5; turn++) {
    await page.keyboard.press("t");
    await expect(time).toHaveAttribute("aria-expanded", "true");
    await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("?")]);
    await expect(sheet).toContainText("Find a command");
    await page.keyboard.press("Escape");
    await expect(sheet).toHaveCount(0);
  }
});

test("a key typed during the handover of a stand-in waits for the keys before it", async ({
  page,
  hadal,
}) => {
  // Animation frames wait until they are released.
  await page.addInitScript(() => {
    const native = window.setTimeout;
    const waiting: TimerHandler[] = [];
    const watched = { isHeld: false, waiting };
    const held = (then: TimerHandler, ms?: number, ...given: unknown[]) =>
      watched.isHeld && ms === undefined ? waiting.push(then) : native(then, ms, ...given);
    Object.assign(window, { watched, setTimeout: held });
  });
  const letGo = await holdBack(page, /assets\/PopupBox-.*\.js/);
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=rows`);
  const columns = page.getByTestId("add-column");
  await columns.click();
  await page.keyboard.type("device");
  await page.keyboard.press("Enter");
  await page.evaluate(() => {
    (window as unknown as { watched: { isHeld: boolean } }).watched.isHeld = true;
  });
  letGo();
  await page.waitForFunction(
    () => (window as unknown as { watched: { waiting: unknown[] } }).watched.waiting.length > 0,
  );
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    const { watched } = window as unknown as {
      watched: { isHeld: boolean; waiting: (() => void)[] };
    };
    watched.isHeld = false;
    for (const then of watched.waiting.splice(0)) then();
  });
  await expect(page).toHaveURL(/column=device/);
  await expect(columns).toHaveAttribute("aria-expanded", "false");
});

test("a click on a value before its menu has loaded opens the menu afterwards", async ({
  page,
  hadal,
}) => {
  const letGo = await holdBack(page, /assets\/OpenValueMenu-.*\.js/);
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=timeseries&group=service`,
  );
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  const cell = page.getByTestId("legend-row").first().getByRole("gridcell").first();
  const name = ((await cell.textContent()) ?? "").trim();
  const standIn = page.getByTestId("menu-stand-in");

  await test.step("after Escape, or a click elsewhere, it does not open", async () => {
    await cell.click();
    await expect(standIn).toContainText(name);
    await page.keyboard.press("Escape");
    await expect(standIn).toHaveCount(0);
    await cell.click();
    await expect(standIn).toBeVisible();
    await page.getByTestId("status-line").click();
    await expect(standIn).toHaveCount(0);
  });

  await test.step("the last clicked value gets the menu", async () => {
    await cell.click();
    await expect(standIn).toBeVisible();
    letGo();
    await expect(page.getByTestId("value-menu")).toContainText(name);
    await expect(standIn).toHaveCount(0);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/filter=service/);
  });
});
