import { useState } from "react";
import { Button, type ButtonProps } from "./Button.js";

export interface CopyButtonProps extends Pick<ButtonProps, "look"> {
  readonly text: string;
  /** What is copied, for screen readers where several buttons are alike. */
  readonly subject?: string;
  readonly testId: string;
}

/** Copies a text that stands beside it; the clipboard needs a secure origin, else the text is there to select. */
export function CopyButton({ text, subject, testId, look = "plain" }: CopyButtonProps) {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(text),
      () => undefined,
    );
  };
  const label = copied === text ? "Copied" : "Copy";
  return (
    <Button
      look={look}
      data-testid={testId}
      aria-label={subject === undefined ? undefined : `${label} ${subject}`}
      onClick={() => void copy()}
    >
      {label}
    </Button>
  );
}
