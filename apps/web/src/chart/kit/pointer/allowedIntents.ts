import { createContext } from "react";
import type { ChartIntent } from "../answer/intent.js";

/** Whether what a reader asks for is carried out: within another page, its token allows a part. A chart offers nothing else. */
export const AllowedIntents = createContext<(intent: ChartIntent) => boolean>(() => true);
