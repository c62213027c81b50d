import { agoInWords } from "../../format/ago.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatInstant } from "../../format/time.js";

/** How long ago something was, with the instant as its tooltip. */
export const Ago = ({ ms }: { readonly ms: number }) => (
  <span title={formatInstant(ms, ownTimeZone())}>{agoInWords(ms)}</span>
);
