import { JsonRows, loadJsonModuleSync } from "@hadal/kernel-wasm";

/** The kernel's reader of lines of JSON, one for all tests of a process. */
export const kernelRows = new JsonRows(loadJsonModuleSync(), { seed: 7n });
