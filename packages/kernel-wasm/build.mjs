// Compiles assembly/ to build/kernel.wasm. Always builds: whether that is needed is the caller's to know.
import { mkdirSync, renameSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const folder = fileURLToPath(new URL(".", import.meta.url));
mkdirSync(`${folder}build`, { recursive: true });
// Written aside and renamed: a process that loads the kernel meanwhile sees a whole file.
const unfinished = `build/kernel.${process.pid}.wasm`;

const { error, stdout, stderr } = await asc.main([
  ...["assembly/index.ts", "--baseDir", folder, "--outFile", unfinished],
  ...["-O3", "--noAssert", "--runtime", "stub"],
  ...["--enable", "threads", "--enable", "simd", "--enable", "bulk-memory"],
  // Any shared memory of up to 4 GiB fits this import.
  ...["--importMemory", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"],
]);
process.stdout.write(stdout.toString());
process.stderr.write(stderr.toString());
if (error) {
  console.error(`kernel-wasm: ${error.message}`);
  process.exit(1);
}
renameSync(`${folder}${unfinished}`, `${folder}build/kernel.wasm`);
