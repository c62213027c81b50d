// Memory bandwidth of this machine, and how near the kernel's plain sums come to it: one line of
// JSON. GB/s, by one and by two threads, over pages of 2 MB where the system gives them, as leaves
// ask for: node packages/kernel-wasm/bench/bandwidth.mjs
import { readFileSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import asc from "assemblyscript/asc";

/** Far beyond every cache. */
const bytesEach = 256 * 2 ** 20;
const threadsMax = 2;
const rounds = 7;
/** As the scan reads: a segment's column at a time. */
const segmentRows = 65_536;
const reservedBytes = 65_536;

if (isMainThread) await measure();
else serve();

async function measure() {
  const pages = (reservedBytes + bytesEach * threadsMax) / 65_536 + 1;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const hugePages = await adviseHugePages(memory);
  new Uint8Array(memory.buffer).fill(1);
  const modules = { loads: await compileLoads(pages), kernel: await compileKernel() };
  const workers = Array.from({ length: threadsMax }, (_, thread) => {
    return new Worker(new URL(import.meta.url), { workerData: { memory, modules, thread } });
  });
  // One that fails ends the program: no one listens to its error.
  const measured = { hugePages };
  for (const kind of ["loads", "sums"]) {
    for (let threads = 1; threads <= threadsMax; threads++) {
      const speeds = [];
      for (let round = 0; round < rounds; round++) {
        const beginMs = performance.now();
        await Promise.all(workers.slice(0, threads).map((worker) => ask(worker, kind)));
        speeds.push((bytesEach * threads) / (performance.now() - beginMs) / 1e6);
      }
      // The best: what the machine can do, not what else it did.
      measured[`${kind}${threads}`] = Math.max(...speeds);
    }
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
  console.log(JSON.stringify(measured));
}

/** Before anything is written. Returns whether the system has taken note. */
async function adviseHugePages(memory) {
  if (process.platform !== "linux") return false;
  const adviceHugePage = 14;
  const { default: koffi } = await import("koffi");
  const madvise = koffi.load(null).func("int madvise(void *address, size_t bytes, int advice)");
  const bytes = new Uint8Array(memory.buffer);
  return madvise(bytes, bytes.length, adviceHugePage) === 0;
}

function ask(worker, kind) {
  worker.postMessage(kind);
  return new Promise((resolve) => worker.once("message", resolve));
}

function serve() {
  const { memory, modules, thread } = workerData;
  const imports = { env: { memory } };
  const loads = new WebAssembly.Instance(modules.loads, imports).exports;
  const kernel = new WebAssembly.Instance(modules.kernel, imports).exports;
  const start = reservedBytes + thread * bytesEach;
  const sums = 32_768 + thread * 1024;
  parentPort.on("message", (kind) => {
    if (kind === "loads") loads.readAll(start, start + bytesEach);
    else {
      const columnBytes = segmentRows * 4;
      for (let at = start; at < start + bytesEach; at += columnBytes) {
        kernel.addProducts(sums, 0, 0, segmentRows, 0, at, 4, 0n, 0, 0, 0);
      }
    }
    parentPort.postMessage(null);
  });
}

async function compileKernel() {
  return WebAssembly.compile(readFileSync(new URL("../build/kernel.wasm", import.meta.url)));
}

/** Nothing but 128-bit loads, in four chains so that no addition waits for the one before. */
async function compileLoads(pages) {
  const lines = [0, 1, 2, 3].map((k) => `s${k} = v128.or(s${k}, v128.load(at, ${k * 16}));`);
  const source = `export function readAll(from: usize, to: usize): i32 {
    let s0 = i32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
    for (let at = from; at < to; at += 64) { ${lines.join(" ")} }
    return i32x4.extract_lane(v128.or(v128.or(s0, s1), v128.or(s2, s3)), 0);
  }`;
  const limits = { initialMemory: pages, maximumMemory: pages };
  const { binary, error, stderr } = await asc.compileString(source, {
    ...{ importMemory: true, sharedMemory: true, ...limits, noAssert: true },
    ...{ optimizeLevel: 3, runtime: "stub", enable: ["threads", "simd", "bulk-memory"] },
  });
  if (error !== null || binary === null) throw new Error(String(stderr));
  return WebAssembly.compile(binary);
}
