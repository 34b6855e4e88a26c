import type { ProviderRow } from '#server/db/schema/index.ts';
import type { NewEvent } from '../webhooks/recordEvents.ts';

export const providerEventTypes = ['provider.updated', 'provider.deactivated'] as const;

/** A provider was created or changed, or became inactive. */
export function providerChanged(
  { id, wordpressId }: Pick<ProviderRow, 'id' | 'wordpressId'>,
  { isDeactivated }: { isDeactivated: boolean },
): NewEvent {
  const type = isDeactivated ? 'provider.deactivated' : 'provider.updated';
  return { type, leadId: null, providerId: id, data: { id, wordpress_id: wordpressId } };
}

/** What decides whether a provider can be matched with leads that nobody has. */
type Matchable = Pick<ProviderRow, 'status' | 'paused' | 'matchRadiusMiles'> & { location: string | null };

/** Whether leads without a provider may match this one now that did not before. A smaller radius counts, as any change of it. */
export function mayMatchMore(before: Matchable, after: Matchable): boolean {
  if (after.status !== 't' || after.paused || after.location === null) return false;
  return (
    before.status !== 't' ||
    before.paused ||
    before.location !== after.location ||
    before.matchRadiusMiles !== after.matchRadiusMiles
  );
}
