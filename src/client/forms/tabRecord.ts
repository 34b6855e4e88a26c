import { useSyncExternalStore } from 'react';

/** What this tab remembers until it is closed of what a form sent today. */
export interface TabRecord<Sent> {
  get: () => Sent | null;
  /** Null forgets it. */
  set: (sent: Sent | null) => void;
  listen: (listener: () => void) => () => void;
}

/** `key`: of its entry in the tab's storage. */
export function createTabRecord<Sent>(key: string): TabRecord<Sent> {
  /** Without storage (private windows) it is known as long as the document exists. */
  let known: { sent: Sent; day: string } | null | undefined;
  const listeners = new Set<() => void>();

  function read(): typeof known {
    try {
      const stored: typeof known = JSON.parse(sessionStorage.getItem(key) ?? 'null');
      return stored;
    } catch {
      return null;
    }
  }

  return {
    get() {
      known ??= read();
      return known?.day === today() ? known.sent : null;
    },
    set(sent) {
      known = sent === null ? null : { sent, day: today() };
      try {
        sessionStorage.setItem(key, JSON.stringify(known));
      } catch {
        // Known in this document only.
      }
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The visitor's day. */
function today(): string {
  return new Date().toDateString();
}

/** What was sent today. Null on the server, and if nothing was. */
export function useTabRecord<Sent>({ listen, get }: TabRecord<Sent>): Sent | null {
  return useSyncExternalStore(listen, get, () => null);
}
