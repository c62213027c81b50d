import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, spawnHadal, startCluster } from "../../../test/support/startCluster.js";
import { waitUntil } from "../../../test/support/waitUntil.js";

/** The real program twice: one serves a folder of documents, one exports and imports. */
let cluster: Cluster;
let folder: string;
let served: string;
const query = { table: "visits", to: "now", from: "-3h" };
const fileText = (title: string, more: object = {}): string =>
  JSON.stringify({ kind: "query", title, body: { query }, ...more });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-exported-"));
  served = await mkdtemp(join(tmpdir(), "hadal-served-"));
  await writeFile(join(served, "ours.json"), fileText("From a file"));
  cluster = await startCluster({ leaves: 1, environment: { HADAL_DOCUMENTS: served } });
}, 60_000);
afterAll(async () => {
  await cluster?.stop();
  for (const one of [folder, served]) await rm(one, { recursive: true, force: true });
});

async function hadal(...words: string[]) {
  const { exited, output } = spawnHadal(["documents", ...words], { HADAL_URL: cluster.url });
  return { code: await exited, ...output };
}

test("documents are exported, changed by hand and imported, to the same or to another server", async () => {
  const { documents } = cluster.client;
  for (const title of ["Errors by country", "Errors by country"])
    await documents.create({ kind: "query", title, body: { query } });
  const out = join(folder, "out");
  expect(await hadal("export", out)).toMatchObject({ code: 0, err: "" });
  const names = await readdir(out);
  expect(names).toHaveLength(3);
  expect(names).toContain("errors-by-country.json");
  const first = join(out, "errors-by-country.json");
  const text = await readFile(first, "utf8");
  expect(text).toMatch(/^\{\n {2}"id": .*"kind": .*"title": .*"from": .*"table": .*"to": /s);
  expect((await hadal("export", out)).out).toContain("0 written, 3 unchanged");

  const { id } = JSON.parse(text);
  await documents.save(id, { kind: "query", title: "Renamed", body: { query } });
  await hadal("export", out);
  // The file keeps its name.
  expect(await readFile(first, "utf8")).toContain("Renamed");
  expect((await hadal("import", out)).out).toBe("0 created, 0 changed, 3 unchanged\n");

  await writeFile(first, text);
  await documents.delete(id);
  await writeFile(join(out, "new.json"), fileText("New"));
  await writeFile(join(out, "broken.json"), '{"kind":\n"query"');
  const imported = await hadal("import", out);
  expect(imported).toMatchObject({
    ...{ code: 1, out: "2 created, 0 changed, 2 unchanged, 1 failed\n" },
    err: expect.stringMatching(/broken\.json: line 2, column 8/),
  });
  expect((await documents.find(id)).title).toBe("Errors by country");
  await rm(join(out, "broken.json"));
  // The new file has its id now.
  expect((await hadal("import", out)).out).toBe("0 created, 0 changed, 4 unchanged\n");
}, 120_000);

test("a dashboard of Grafana becomes a document, the same one each time; gaps are listed", async () => {
  const { documents } = cluster.client;
  const out = join(folder, "grafana");
  await mkdir(out);
  const panels = [
    { type: "text", title: "Read me", options: { content: "# On call" } },
    { type: "graph", title: "Load", targets: [{ expr: "node_load1" }] },
  ];
  const board = { uid: "site", title: "Site of Grafana", time: { from: "now-6h", to: "now" } };
  const text = JSON.stringify({ ...board, panels });
  await writeFile(join(out, "site.json"), text);
  await writeFile(join(out, "broken.json"), JSON.stringify({ ...board, panels: [3] }));
  const first = await hadal("import", out);
  expect(first.code).toBe(1);
  expect(first.out).toMatch(/site\.json: “Load”: .* type graph .*\n1 created, .* 1 failed\n$/s);
  expect(first.err).toMatch(/broken\.json: line 1, column \d+: Expected an object/);
  // The file of Grafana stays as it was.
  expect(await readFile(join(out, "site.json"), "utf8")).toBe(text);
  await rm(join(out, "broken.json"));
  expect((await hadal("import", out)).out).toContain("0 created, 0 changed, 1 unchanged");
  const [saved, other] = await documents.list({ kind: "dashboard", text: "of grafana" });
  expect(other).toBeUndefined();
  const { body } = await documents.find(saved?.id ?? "");
  expect(body).toMatchObject({ from: "-6h", sections: [{ tiles: [{ text: "# On call" }, {}] }] });
}, 60_000);

test("a served file is read again when it changes, and is changed there alone", async () => {
  const { documents } = cluster.client;
  const [summary] = await documents.list({ text: "from a file" });
  expect(summary).toMatchObject({ file: "ours.json", version: 1 });
  const id = summary?.id ?? "";
  await expect(documents.delete(id)).rejects.toMatchObject({ code: "forbidden", status: 403 });
  await writeFile(join(served, "ours.json"), fileText("From a file, changed"));
  await writeFile(join(served, "broken.json"), "{]");
  await waitUntil("the change", async () =>
    (await documents.find(id)).title === "From a file, changed" ? true : null,
  );
  await waitUntil("the report", async () =>
    /broken\.json is not used: line 1, column 2/.test(cluster.output.err) ? true : null,
  );
  const changed = join(folder, "changed");
  await hadal("export", changed);
  const name = (await readdir(changed)).find((one) => one.startsWith("from-a-file")) ?? "";
  const exported = JSON.parse(await readFile(join(changed, name), "utf8"));
  await writeFile(join(changed, name), JSON.stringify({ ...exported, title: "Mine" }));
  expect(await hadal("import", changed)).toMatchObject({
    ...{ code: 1, err: expect.stringContaining("change it there") },
  });
}, 60_000);
