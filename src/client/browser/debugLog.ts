/** For developers alone: what went wrong and needs no word to a visitor. Never given contact details or a place. */
export function debugLog(message: string, error: unknown): void {
  window.console.debug(message, error instanceof Error ? error.message : error);
}
