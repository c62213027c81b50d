import type { SignInWays } from "@hadal/sdk";
import type { Who } from "../../session/who.js";
import { Sheet } from "../../ui/popup/Sheet.js";
import { SignInForm } from "./SignInForm.js";
import styles from "./signin.module.css";

export interface SignInDialogProps {
  readonly who: Who;
  readonly ways: SignInWays;
  readonly name: string | null;
}

/** Over the page when the session has ended: what is shown stays, and goes on after signing in. */
export function SignInDialog({ who, ways, name }: SignInDialogProps) {
  return (
    <Sheet
      open
      onOpenChange={() => undefined}
      title="Your session has ended"
      width={360}
      testId="sign-in-dialog"
    >
      <p className={styles.again}>Sign in again to go on where you were.</p>
      <SignInForm who={who} ways={ways} name={name} />
    </Sheet>
  );
}
