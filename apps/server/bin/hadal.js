#!/usr/bin/env node
import { existsSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`hadal needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
const program = new URL("../dist/hadal.js", import.meta.url);
if (!existsSync(program)) {
  console.error(
    "hadal is not built yet: run `npm run build` (or `npm start`) in its folder first.",
  );
  process.exit(1);
}
await import(program.href);
