import type { ProviderRow } from '#server/db/schema/index.ts';
import type { NewEvent } from '../webhooks/recordEvents.ts';

export const providerEventTypes = ['provider.updated', 'provider.deactivated'] as const;

/** A provider was created, changed or deactivated. */
export function providerChanged(
  { id, wordpressId }: Pick<ProviderRow, 'id' | 'wordpressId'>,
  { isDeactivated }: { isDeactivated: boolean },
): NewEvent {
  const type = isDeactivated ? 'provider.deactivated' : 'provider.updated';
  return { type, leadId: null, providerId: id, data: { id, wordpress_id: wordpressId } };
}

/** The fields that decide whether unmatched leads may match a provider. */
type Matchable = Pick<ProviderRow, 'status' | 'paused' | 'matchRadiusMiles'> & { location: string | null };

/** Whether unmatched leads may match this provider now that could not before. Any change of the radius counts. */
export function mayMatchMore(before: Matchable, after: Matchable): boolean {
  if (after.status !== 't' || after.paused || after.location === null) return false;
  return (
    before.status !== 't' ||
    before.paused ||
    before.location !== after.location ||
    before.matchRadiusMiles !== after.matchRadiusMiles
  );
}
