import type { SharedLink } from './shareImages.ts';
import { viewOf } from '#server/tenant/providerRecord.ts';
import type { TenantDirectory } from '#server/tenant/site.ts';

/** What the picture of a clinic's links shows, from memory; null for an id that is no active clinic's. */
export function sharedLinks({ findById }: Pick<TenantDirectory, 'findById'>) {
  return async (id: number): Promise<SharedLink | null> => {
    const record = await findById(id);
    if (record === null) return null;
    const { shareImage, label, themeHue } = viewOf(record);
    return { path: shareImage, image: { provider: label, hue: themeHue } };
  };
}
