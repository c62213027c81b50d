import type { Me } from "@hadal/sdk";
import { CircleUser } from "lucide-react";
import { useState } from "react";
import type { Who } from "../../session/who.js";
import { Button } from "../../ui/button/Button.js";
import { PopupButton } from "../../ui/popup/PopupButton.js";
import styles from "./signin.module.css";

export interface WhoMenuProps {
  readonly who: Who;
  readonly me: Me;
}

/** Who is signed in, and the way out. */
export function WhoMenu({ who, me }: WhoMenuProps) {
  const { name, role, groups, auth, permissions } = me;
  return (
    <PopupButton
      label={`Signed in as ${name ?? "a program"}`}
      testId="who"
      align="end"
      icon={<CircleUser size={16} />}
    >
      {(close) => (
        <div className={styles.menu} data-testid="who-menu">
          <p className={styles.who}>
            <strong title={name ?? undefined}>{name}</strong>
            <span className={styles.hint}>
              {role}
              {groups.length > 0 && ` · ${groups.join(", ")}`}
            </span>
          </p>
          {permissions.includes("embed") && (
            <>
              <hr className={styles.rule} />
              <a className={styles.item} href="/embeds" onClick={close}>
                Embeds and host keys
              </a>
            </>
          )}
          {permissions.includes("admin") && (
            <>
              <hr className={styles.rule} />
              <a className={styles.item} href="/people" onClick={close}>
                People, grants and tokens
              </a>
              <a className={styles.item} href="/audit" onClick={close}>
                Audit log
              </a>
            </>
          )}
          {auth === "users" && <SignOut who={who} />}
        </div>
      )}
    </PopupButton>
  );
}

function SignOut({ who }: Pick<WhoMenuProps, "who">) {
  const [problem, setProblem] = useState<string | null>(null);
  const leave = (options: { readonly everywhere: boolean }): void => {
    setProblem(null);
    who.signOut(options).catch((error: Error) => setProblem(error.message));
  };
  return (
    <>
      <hr className={styles.rule} />
      <Button
        look="quiet"
        className={styles.item ?? ""}
        data-testid="sign-out"
        onClick={() => leave({ everywhere: false })}
      >
        Sign out
      </Button>
      <Button
        look="quiet"
        className={styles.item ?? ""}
        data-testid="sign-out-everywhere"
        onClick={() => leave({ everywhere: true })}
      >
        Sign out everywhere
      </Button>
      {problem !== null && (
        <p role="alert" className={styles.bad}>
          {problem}
        </p>
      )}
    </>
  );
}
