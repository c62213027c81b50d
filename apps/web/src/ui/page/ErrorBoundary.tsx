import { Component, type ReactNode } from "react";
import { forgetFailedParts } from "../lazy/lazyPart.js";
import { CrashPanel } from "./CrashPanel.js";

export interface ErrorBoundaryProps {
  /** Title of the message. */
  readonly title: string;
  /** A changed key renders the children again. */
  readonly resetKey: unknown;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly error: Error | null;
  readonly resetKey: unknown;
}

/** Shows an error in place of children that threw while rendering. React offers this for classes only. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Pick<ErrorBoundaryState, "error"> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(
    { resetKey }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return Object.is(resetKey, state.resetKey) ? null : { error: null, resetKey };
  }

  /** Called when the failure is on the page: the cause may be retried. */
  override componentDidCatch(): void {
    forgetFailedParts();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const onAgain = (): void => this.setState({ error: null });
    return <CrashPanel title={this.props.title} error={error} onAgain={onAgain} />;
  }
}
