/** The bundle has the real code of a scan thread in its place, as a function. */
export function startScanThread(): void {
  throw new Error("the simulation is not bundled");
}
