import { createContext } from "react";
import { createStore, type StoreApi } from "zustand/vanilla";

/** The time under the pointer on one of several charts. */
export interface PointedMoment {
  readonly timeMs: number;
  /** The chart that is pointed at: it draws its own line. */
  readonly chart: string;
}

export type SharedMoments = StoreApi<{ readonly pointed: PointedMoment | null }>;

export const createSharedMoments = (): SharedMoments => createStore(() => ({ pointed: null }));

/** The charts within show the same moment. null: a chart that stands alone. */
export const SharedMomentsContext = createContext<SharedMoments | null>(null);
