import { createContext } from "react";
import type { Mark } from "../answer/intent.js";

/** The mark whose menu is open: a chart keeps it painted for as long. null: none is. */
export const OpenMark = createContext<Mark | null>(null);
