import { Bookmark } from "lucide-react";
import { useFormQuery } from "../../../panel/formQuery.js";
import { useWhyNot } from "../../../session/useWhyNot.js";
import { Button } from "../../../ui/button/Button.js";
import { saveRequest } from "./saveRequest.js";

/** Saves the query, with a name when it is new. */
export function SaveButton() {
  const { session, state } = useFormQuery();
  const isSaved = state.saved !== null;
  const reason = useWhyNot(session, "save");
  return (
    <Button
      look="quiet"
      data-testid="save-query"
      aria-label="Save the query"
      title={reason ?? "Save the query ( Ctrl S )"}
      disabled={reason !== null}
      onClick={() => saveRequest.setState({ kind: "save" })}
    >
      <Bookmark size={16} fill={isSaved ? "currentColor" : "none"} />
    </Button>
  );
}
