import type { AreaAnswer } from '#shared/applications/areas.ts';
import { zipInText } from '#shared/leads/zip.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import { previewMatch } from '../matching/siteMatch.ts';

type AreaServices = Parameters<typeof previewMatch>[0] &
  Pick<Services, 'areaPeople' | 'limits' | 'publicReads'>;

/** What a prospective provider may know of the area of a ZIP code: who is nearest, and how many people asked. */
export async function describeArea(
  services: AreaServices,
  { caller, typed }: { caller: Caller; typed: string },
): Promise<AreaAnswer> {
  const { areaPeople: figures, limits, publicReads, zipTable } = services;
  const zip = zipInText(typed);
  const read = await publicReads.ask(async () => {
    await limits.leads.take(caller.ip, 'preview', caller.responseHeaders);
    // A ZIP code that may not exist has no area.
    if (zip === null || zipTable.lookup(zip)?.placement !== 'zip') return null;
    const zip3 = zip.slice(0, 3);
    const nearest = await previewMatch(services, { site: caller.site, zipCode: zip, requestedId: null });
    return { zip3, nearest, stored: await figures.findStored(zip3) };
  });
  if (read === null) return { zip: null, isValid: zip !== null, nearest: null, people: null };
  // Not among the public reads, which a slow one shuts for everyone.
  const people = read.stored ?? (await figures.count(read.zip3));
  return { zip, isValid: true, nearest: read.nearest, people: people === 0 ? null : people };
}
