/**
 * Logs a failure that a visitor notices, for support. Never pass contact details, a ZIP or the body of a
 * response, which may repeat them.
 */
export function logFailure(what: string, reason: string): void {
  window.console.error(`${what}: ${reason}`);
}
