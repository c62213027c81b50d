import { laterPart } from "../../ui/lazy/laterPart.js";

export type ReaderPart = typeof import("../reader/reader.js");

/** The chart is drawn before the code of its menus, tools and edits is there. */
export const readerPart = laterPart<ReaderPart>(() => import("../reader/reader.js"));
