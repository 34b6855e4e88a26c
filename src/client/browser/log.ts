/** Logs errors that visitors needn't see, for developers. Never pass contact details or a location. */
export function debugLog(message: string, error: unknown): void {
  window.console.debug(message, error instanceof Error ? error.message : error);
}

/** Logs a failure for support. Never pass contact details, a ZIP or the body of a response, which may repeat them. */
export function logFailure(what: string, reason: string): void {
  window.console.error(`${what}: ${reason}`);
}
