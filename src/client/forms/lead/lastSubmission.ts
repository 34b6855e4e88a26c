import { createTabRecord, useTabRecord } from '#client/forms/tabRecord.ts';
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
  /** Whether the visitor withdrew it here. */
  isWithdrawn?: boolean;
}

const sentRequest = createTabRecord<SentRequest>('lead.request');

let lastKey: string | null = null;

/** Remembers the idempotency key of a lead that is being sent. */
export function rememberKey(idempotencyKey: string): void {
  lastKey = idempotencyKey;
}

/** Remembers a stored lead. `provider` is the page's own provider, if it has one. */
export function rememberSent(
  matchedId: number | undefined,
  provider: { id: number; label: string } | null,
): void {
  const named = lastNamedProvider();
  const isNamed = named !== null && named.id === matchedId;
  const ownName = provider?.id === matchedId ? (provider?.label ?? null) : null;
  sentRequest.set({
    providerId: matchedId ?? null,
    providerName: ownName ?? (isNamed ? named.name : null),
    distanceMiles: isNamed ? named.distanceMiles : null,
    nearest:
      matchedId === undefined && named?.isWithinReach === false
        ? { id: named.id, name: named.name, distanceMiles: named.distanceMiles }
        : null,
    key: lastKey,
  });
}

/** Remembers that the lead was withdrawn. Its key has no further use. */
export function rememberWithdrawn(): void {
  const known = sentRequest.get();
  if (known !== null) sentRequest.set({ ...known, key: null, isWithdrawn: true });
}

/** The lead that this tab sent today. Null on the server and if it sent none. */
export function useSentRequest(): SentRequest | null {
  return useTabRecord(sentRequest);
}
