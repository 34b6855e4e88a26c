import { reportFailure, reportSuccess } from './reports.ts';

interface Report<Output, Input> {
  /** The toast of a success; left out, there is none. */
  done?: string | ((output: Output, input: Input) => string);
  /** The toast's button that takes it back; null: there is nothing to take back. */
  undo?: (output: Output, input: Input) => (() => void) | null;
  /** The toast of a failure that the server does not explain; left out, the caller reports failures. */
  failed?: string;
  /** Runs before anything is loaded again. */
  onDone?: (output: Output, input: Input) => void;
  /** Loads again what the change may have touched, also after a failure. The mutation is pending until then. */
  refresh: () => Promise<unknown>;
}

interface ReportOptions<Output, Input> {
  onSuccess: (output: Output, input: Input) => void;
  onError: (error: unknown) => void;
  onSettled: () => Promise<unknown>;
}

/** Options of a mutation that reports its result in a toast and loads again what it changed. */
export function withReport<Output, Input>({
  done,
  undo,
  failed,
  onDone,
  refresh,
}: Report<Output, Input>): ReportOptions<Output, Input> {
  return {
    onSuccess: (output, input) => {
      onDone?.(output, input);
      if (done === undefined) return;
      const text = typeof done === 'string' ? done : done(output, input);
      reportSuccess(text, undo?.(output, input) ?? undefined);
    },
    onError: (error) => (failed === undefined ? undefined : reportFailure(error, failed)),
    onSettled: refresh,
  };
}
