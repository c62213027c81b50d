import type { Permission } from "@hadal/sdk";
import { useStore } from "zustand";
import type { Session } from "./session.js";
import { whyNot } from "./who.js";

/** Why the reader may not do this, as a sentence; null: they may. */
export const useWhyNot = ({ who }: Pick<Session, "who">, permission: Permission): string | null =>
  whyNot(useStore(who).me, permission);
