import { useState } from "react";
import { laterPart, useLaterPart } from "../../ui/lazy/laterPart.js";
import { MenuStandIn } from "./MenuStandIn.js";
import type { ValueMenuProps } from "./OpenValueMenu.js";

const openMenu = laterPart(async () => (await import("./OpenValueMenu.js")).OpenValueMenu);

/** The one menu on every mark, from when it is first opened. */
export function ValueMenu({ mark, onClose }: ValueMenuProps) {
  const Shown = useLaterPart(openMenu, { wanted: mark !== null });
  const [used, setUsed] = useState(false);
  if (mark !== null && !used) setUsed(true);
  if (Shown !== null) return used ? <Shown mark={mark} onClose={onClose} /> : null;
  return mark === null ? null : <MenuStandIn mark={mark} onClose={onClose} />;
}
