/** Logs errors that visitors needn't see, for developers. Never pass contact details or a location. */
export function debugLog(message: string, error: unknown): void {
  window.console.debug(message, error instanceof Error ? error.message : error);
}
