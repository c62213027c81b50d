import { type AlertTest, HadalError } from "@hadal/sdk";
import { Send } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button/Button.js";
import styles from "./alert.module.css";

export interface TestChannelProps {
  /** Sends the test; rejects with a HadalError where it cannot even be tried. */
  readonly send: () => Promise<AlertTest | undefined>;
}

type Outcome = { readonly kind: "sending" | "sent" } | { readonly kind: "failed"; text: string };

/** Sends a message that says that it is a test, and says beside the button what came of it. */
export function TestChannel({ send }: TestChannelProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const test = async (): Promise<void> => {
    setOutcome({ kind: "sending" });
    setOutcome(await outcomeOf(send));
  };
  return (
    <>
      <Button
        look="quiet"
        data-testid="test-channel"
        disabled={outcome?.kind === "sending"}
        onClick={() => void test()}
      >
        <Send size={14} /> Send a test
      </Button>
      <span
        role="status"
        className={outcome?.kind === "failed" ? styles.lack : styles.quiet}
        data-testid="test-outcome"
      >
        {outcome === null ? "" : textOf(outcome)}
      </span>
    </>
  );
}

async function outcomeOf(send: TestChannelProps["send"]): Promise<Outcome> {
  try {
    const error = (await send())?.error ?? null;
    return error === null ? { kind: "sent" } : { kind: "failed", text: error };
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return { kind: "failed", text: error.message };
  }
}

function textOf(outcome: Outcome): string {
  if (outcome.kind === "failed") return `It did not arrive: ${outcome.text}`;
  return outcome.kind === "sending" ? "Sending…" : "It was taken.";
}
