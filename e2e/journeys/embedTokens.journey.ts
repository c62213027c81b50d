import { generateKeyPairSync } from "node:crypto";
import type { Query } from "@hadal/sdk";
import {
  byService,
  createSigner,
  openChart,
  ordersOf,
  secondsFromNow,
  seenOf,
  signJwt,
  test,
  valuesOf,
} from "../fixtures/embeds.js";
import { expect } from "../fixtures/test.js";

/** What a browser reports of answers that refuse. */
const isRefusal = (error: string): boolean => /40[13]|CORS|ERR_FAILED|WebSocket/.test(error);

test("a token is renewed before it ends, and a live chart goes on", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  const short = () => signer.token({}, { exp: secondsFromNow(8) });
  await page.exposeFunction("newToken", () => signer.token());
  await openChart(page, { host, hadal, token: short(), attributes: { live: "" } });
  await page.evaluate(() => {
    const page = window as unknown as { chart: { onTokenExpired: unknown }; newToken: unknown };
    page.chart.onTokenExpired = page.newToken;
  });
  await expect(page.getByTestId("table-row")).toHaveCount(3);
  const count = async (wanted: string) =>
    (await seenOf(page)).filter(({ name }) => name === wanted).length;
  await expect.poll(() => count("tokenexpiring")).toBe(1);
  const completed = await count("complete");
  await expect.poll(() => count("complete")).toBeGreaterThan(completed + 1);
  await expect(page.getByTestId("embed-refused")).toHaveCount(0);
  expect(await count("error")).toBe(0);
});

test("a live chart whose token ends without another one says so", async ({
  page,
  pageErrors,
  hadal,
  host,
  signer,
}) => {
  const token = signer.token({}, { exp: secondsFromNow(8) });
  await openChart(page, { host, hadal, token, attributes: { live: "" } });
  await expect(page.getByTestId("table-row")).toHaveCount(3);
  await expect(page.getByTestId("embed-refused")).toContainText("This chart has expired");
  await expect(page.getByTestId("table-row")).toHaveCount(0);
  const errors = (await seenOf(page)).filter(({ name }) => name === "error");
  expect(errors[0]?.detail).toMatchObject({ code: "unauthenticated", status: 401 });
  expect(pageErrors.splice(0).filter((error) => !isRefusal(error))).toEqual([]);
});

test("a token for other rows shows those, also where the query is the same", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  const of = (country: "DE" | "US") =>
    signer.token({ filter: [{ column: "country", op: "=", value: country }] });
  const setToken = (token: string) =>
    page.evaluate((next) => {
      (window as unknown as { chart: { token: string } }).chart.token = next;
    }, token);
  await openChart(page, { host, hadal, token: of("DE") });
  await expect.poll(() => valuesOf(page)).toContainEqual(expect.stringContaining(`${ordersOf.DE}`));
  await setToken(of("US"));
  await expect.poll(() => valuesOf(page)).toContainEqual(expect.stringContaining(`${ordersOf.US}`));
  expect(await valuesOf(page)).not.toContainEqual(expect.stringContaining(`${ordersOf.DE}`));
  // A renewal asks nothing again.
  const completed = async () =>
    (await seenOf(page)).filter(({ name }) => name === "complete").length;
  const before = await completed();
  await setToken(of("US"));
  await page.evaluate(() =>
    (window as unknown as { chart: { refresh(): Promise<void> } }).chart.refresh(),
  );
  expect(await completed()).toBe(before + 1);
});

test("an embed is not made whose own query its readers could not ask", async ({ hadal, host }) => {
  const draft = {
    ...{ title: "Orders", table: byService.table, views: ["table"], groupBy: ["service"] },
    ...{ rangeMsMax: 3_600_000, frameAncestors: [host.origin], view: "table" },
  };
  const create = (query: Query) => hadal.client.embeds.create({ ...draft, query });
  const refused: readonly (readonly [Query, Record<string, unknown>])[] = [
    [{ ...byService, groupBy: ["country"] }, { code: "token-scope" }],
    [
      { ...byService, groupBy: ["servce"] },
      { code: "unknown-column", errors: [expect.objectContaining({ path: "query.groupBy[0]" })] },
    ],
    [
      { ...byService, from: "-2d", to: "now" },
      { code: "token-scope", message: expect.stringContaining("longer than 1 hour") },
    ],
    [{ table: byService.table, from: "-1h", to: "now", sampleView: {} }, { code: "token-scope" }],
  ];
  for (const [query, problem] of refused)
    await expect(create(query)).rejects.toMatchObject(problem);
  const { id } = await create({ ...byService, series: 5 });
  await hadal.client.embeds.revoke(id);
});

test("an embed that is revoked disappears from pages within five seconds", async ({
  page,
  pageErrors,
  hadal,
  host,
}) => {
  const embed = await hadal.client.embeds.create({
    ...{ title: "Orders", table: byService.table, views: ["table"], groupBy: ["service"] },
    ...{ rangeMsMax: 3_600_000, frameAncestors: [host.origin] },
  });
  await openChart(page, { host, hadal, token: embed.token, attributes: { live: "" } });
  await expect(page.getByTestId("table-row")).toHaveCount(3);
  await hadal.client.embeds.revoke(embed.id);
  await expect(page.getByTestId("embed-refused")).toBeVisible({ timeout: 5_000 });
  await expect(page.getByTestId("table-row")).toHaveCount(0);
  expect(pageErrors.splice(0).filter((error) => !isRefusal(error))).toEqual([]);
});

test("a token that was tampered with, claim by claim, is refused with 403 and reveals nothing", async ({
  page,
  pageErrors,
  hadal,
  host,
  signer,
}) => {
  const [head = "", claims = "", signature = ""] = signer.token().split(".");
  const read = JSON.parse(Buffer.from(claims, "base64url").toString());
  const changes: readonly object[] = [
    ...[{ exp: read.exp + 1 }, { jti: "another" }, { aud: "hadal" }, { iat: 1 }, { sub: "x" }],
    ...[
      { table: "requests" },
      { filter: [] },
      { hiddenColumns: [] },
      { views: ["bar", "rows"] },
    ].map((scope) => ({ hadal: { ...read.hadal, ...scope } })),
    ...[{ groupBy: ["country"] }, { rangeMsMax: 1e12 }, { frameAncestors: ["*"] }].map((scope) => ({
      hadal: { ...read.hadal, ...scope },
    })),
  ];
  const tampered = changes.map((change) => {
    const changed = Buffer.from(JSON.stringify({ ...read, ...change })).toString("base64url");
    return `${head}.${changed}.${signature}`;
  });
  const { privateKey } = generateKeyPairSync("ed25519");
  const forged = signJwt(privateKey, signer.kid, read);
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`;
  const ask = (token: string) =>
    fetch(`${hadal.url}/api/v1/query`, {
      ...{ method: "POST", body: JSON.stringify({ query: byService }) },
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  expect((await ask(`${head}.${claims}.${signature}`)).status).toBe(200);
  for (const token of [...tampered, forged, unsigned]) {
    const reply = await ask(token);
    const problem = await reply.json();
    expect([reply.status, problem.code], token).toEqual([403, "token-scope"]);
    expect(problem.detail).toBe("The embed token is not valid here.");
  }

  await openChart(page, { host, hadal, token: tampered[6] ?? "" });
  await expect(page.getByTestId("embed-refused")).toContainText("This chart is not allowed");
  await expect(page.getByTestId("values")).toHaveCount(0);
  expect(pageErrors.splice(0).filter((error) => !isRefusal(error))).toEqual([]);
});

test("the clock of a host may be five minutes off; further off the state says why", async ({
  page,
  pageErrors,
  hadal,
  host,
  signer,
}) => {
  const ahead = (seconds: number) =>
    signer.token({}, { iat: secondsFromNow(seconds), exp: secondsFromNow(seconds + 600) });
  for (const token of [ahead(290), ahead(-290)]) {
    await openChart(page, { host, hadal, token });
    await expect(page.getByTestId("table-row")).toHaveCount(3);
  }
  await openChart(page, { host, hadal, token: ahead(400) });
  await expect(page.getByTestId("embed-refused")).toContainText("at most 5 minutes off");
  expect(pageErrors.splice(0).filter((error) => !isRefusal(error))).toEqual([]);
});

test("a page that the token does not name sees nothing", async ({
  page,
  pageErrors,
  hadal,
  host,
  signer,
}) => {
  await openChart(page, { host, hadal, token: signer.token(), origin: host.elsewhere });
  await expect.poll(async () => (await seenOf(page)).map(({ name }) => name)).toContain("error");
  await expect(page.getByTestId("table-row")).toHaveCount(0);
  await expect(page.getByTestId("values")).toHaveCount(0);
  const notice = page.locator("[data-testid=embed-refused], [data-testid=embed-problem]");
  await expect(notice.first()).toBeVisible();
  expect(pageErrors.splice(0).filter((error) => !isRefusal(error))).toEqual([]);
});

test("a key that is removed ends what it signed within five seconds", async ({
  page,
  pageErrors,
  hadal,
  host,
}) => {
  const signer = await createSigner(hadal, host.origin);
  await openChart(page, { host, hadal, token: signer.token(), attributes: { live: "" } });
  await expect(page.getByTestId("table-row")).toHaveCount(3);
  await signer.remove();
  await expect(page.getByTestId("embed-refused")).toBeVisible({ timeout: 5_000 });
  expect(pageErrors.splice(0).filter((error) => !isRefusal(error))).toEqual([]);
});
