import { expect, test } from "vitest";
import { snippetsOf } from "./snippets.js";

test("snippets quote any table name", () => {
  const [curl, file, js] = snippetsOf("http://127.0.0.1:7400", 'it\'s `a`/"b"', 1);
  expect(curl?.text).toContain("tables/it's%20%60a%60%2F%22b%22/rows".replace("'", "'\\''"));
  expect(file?.text).toContain(`--table 'it'\\''s \`a\`/"b"' `);
  expect(js?.text).toContain('client.ingest("it\'s `a`/\\"b\\"")');
});
