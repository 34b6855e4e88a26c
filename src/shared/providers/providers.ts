import { z } from 'zod';
import { publicShape } from './providerFieldLists.ts';

/** A provider's public fields: those that the list names as public. Names and casing are the specification's. */
export const publicProvider = z
  .object(publicShape)
  .meta({ id: 'Provider', description: 'A provider as anyone sees it' });
export type PublicProvider = z.output<typeof publicProvider>;

export const providerGetInput = z.object({ id: z.number().int().positive() });
export const providerByDomainInput = z.object({
  hostname: z.string().min(1).max(253),
});
