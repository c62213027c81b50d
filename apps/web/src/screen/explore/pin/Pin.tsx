import { LayoutDashboard } from "lucide-react";
import { Suspense } from "react";
import { useStore } from "zustand";
import { useFormQuery } from "../../../panel/formQuery.js";
import { useWhyNot } from "../../../session/useWhyNot.js";
import { Button } from "../../../ui/button/Button.js";
import { lazyPart } from "../../../ui/lazy/lazyPart.js";
import { pinRequest } from "./pinRequest.js";

const PinSheet = lazyPart(async () => (await import("./PinSheet.js")).PinSheet);

/** Pins the query to a dashboard; the dialog is loaded when it opens. */
export function Pin() {
  const { session } = useFormQuery();
  const whyNotSave = useWhyNot(session, "save");
  const { isOpen } = useStore(pinRequest);
  return (
    <>
      <Button
        look="quiet"
        data-testid="pin-query"
        aria-label="Pin to a dashboard"
        disabled={whyNotSave !== null}
        title={whyNotSave ?? "Pin to a dashboard ( p )"}
        onClick={() => pinRequest.setState({ isOpen: true })}
      >
        <LayoutDashboard size={16} />
      </Button>
      <Suspense>
        {isOpen && whyNotSave === null && (
          <PinSheet onClose={() => pinRequest.setState({ isOpen: false })} />
        )}
      </Suspense>
    </>
  );
}
