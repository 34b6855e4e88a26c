import { useSyncExternalStore } from 'react';
import { lastNamedProvider } from './namedProvider.ts';

/** What this tab knows of the lead that it sent. Nothing that the visitor typed. */
interface SentRequest {
  /** The provider that got the lead. Null if none did. */
  providerId: number | null;
  providerName: string | null;
  /** Whole miles from the visitor's ZIP. Null if unknown. */
  distanceMiles: number | null;
  /** The nearest provider beyond reach, if none got the lead. */
  nearest: { id: number; name: string; distanceMiles: number | null } | null;
  /** Proves to the server that this tab sent the lead. Null after a plain form post. */
  key: string | null;
  /** The visitor's day. */
  day: string;
  /** Whether the visitor withdrew it here. */
  isWithdrawn?: boolean;
}

const key = 'lead.sent';

/** Without storage (private windows) it is known as long as the document exists. */
let sent: SentRequest | null | undefined;

let lastKey: string | null = null;

/** Remembers the idempotency key of a lead that is being sent. */
export function rememberKey(idempotencyKey: string): void {
  lastKey = idempotencyKey;
}

function today(): string {
  return new Date().toDateString();
}

/** Remembers a stored lead. `provider` is the page's own provider, if it has one. */
export function rememberSent(
  matchedId: number | undefined,
  provider: { id: number; label: string } | null,
): void {
  const named = lastNamedProvider();
  const isNamed = named !== null && named.id === matchedId;
  const ownName = provider?.id === matchedId ? (provider?.label ?? null) : null;
  sent = {
    providerId: matchedId ?? null,
    providerName: ownName ?? (isNamed ? named.name : null),
    distanceMiles: isNamed ? named.distanceMiles : null,
    nearest:
      matchedId === undefined && named?.isWithinReach === false
        ? { id: named.id, name: named.name, distanceMiles: named.distanceMiles }
        : null,
    key: lastKey,
    day: today(),
  };
  store();
}

/** Remembers that the lead was withdrawn. Its key has no further use. */
export function rememberWithdrawn(): void {
  const known = sentToday();
  if (known === null) return;
  sent = { ...known, key: null, isWithdrawn: true };
  store();
  for (const listener of listeners) listener();
}

function store(): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(sent));
  } catch {
    // Known in this document only.
  }
}

function read(): SentRequest | null {
  try {
    const stored: SentRequest | null = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return stored;
  } catch {
    return null;
  }
}

function sentToday(): SentRequest | null {
  sent ??= read();
  return sent?.day === today() ? sent : null;
}

const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The lead that this tab sent today. Null on the server and if it sent none. */
export function useSentRequest(): SentRequest | null {
  return useSyncExternalStore(listen, sentToday, () => null);
}
