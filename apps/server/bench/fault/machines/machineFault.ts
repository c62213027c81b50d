import type { FaultyMachines } from "./faultyMachines.js";

export type Say = (line: string) => void;

/** A fault of RELIABILITY, section 3. Throws where an answer is wrong or the fault is not survived. */
export type MachineFault = (cluster: FaultyMachines, say: Say) => Promise<void>;

export const ms = (time: number): string => `${time.toFixed(0)} ms`;
