import { writeFileSync } from "node:fs";
import { schemas, standaloneSchema } from "../dist/schemas.js";

/** Writes what `@hadal/sdk/schema/*.json` are, once the sources are compiled. */
const files = { query: "Query", dashboard: "Dashboard" };
for (const [file, name] of Object.entries(files)) {
  const schema = standaloneSchema(name, schemas, `https://hadal.dev/schema/${file}.json`);
  const text = JSON.stringify(schema, null, 2);
  writeFileSync(new URL(`../dist/${file}.json`, import.meta.url), `${text}\n`);
}
