// A thread with a kernel of its own: counts, sums and sorts its rows over and over, and says what
// it got.
import { parentPort, workerData } from "node:worker_threads";

const { memory, module, rounds, rowCount, times, values, order, offsets } = workerData;
const { scratch, counts, sums, groups } = workerData;
const { exports: wasm } = new WebAssembly.Instance(module, { env: { memory } });
for (let round = 0; round < rounds; round++) {
  wasm.sortByTime(order, offsets, times, rowCount, 0n, 1n << 30n, scratch);
  wasm.clearGroups(groups, rowCount);
  wasm.addCodeGroups(groups, values, 1, 0, rowCount, order, 1);
  wasm.addRows(counts, groups, rowCount);
  wasm.addProducts(sums, groups, 0, rowCount, order, values, 1, 0n, 0, 0, 0);
}
parentPort.postMessage("done");
