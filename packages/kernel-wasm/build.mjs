// Compiles assembly/ to build/kernel.wasm and build/json.wasm. Always builds: whether that is
// needed is the caller's to know.
import { mkdirSync, renameSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const folder = fileURLToPath(new URL(".", import.meta.url));
mkdirSync(`${folder}build`, { recursive: true });

// Any memory of up to 4 GiB fits these imports, shared by threads or not.
const memory = ["--importMemory", "--initialMemory", "1", "--maximumMemory", "65536"];
await compile("index", "kernel", [...memory, "--sharedMemory", "--enable", "threads"]);
await compile("json", "json", memory);

async function compile(entry, name, flags) {
  // Written under another name and renamed: a process that loads it meanwhile sees a whole file.
  const unfinished = `build/${name}.${process.pid}.wasm`;
  const { error, stdout, stderr } = await asc.main([
    ...[`assembly/${entry}.ts`, "--baseDir", folder, "--outFile", unfinished],
    ...["-O3", "--noAssert", "--runtime", "stub"],
    ...["--enable", "simd", "--enable", "bulk-memory", ...flags],
  ]);
  process.stdout.write(stdout.toString());
  process.stderr.write(stderr.toString());
  if (error) {
    console.error(`kernel-wasm: ${error.message}`);
    process.exit(1);
  }
  renameSync(`${folder}${unfinished}`, `${folder}build/${name}.wasm`);
}
