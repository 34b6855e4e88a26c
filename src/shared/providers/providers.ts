import { z } from 'zod';

/**
 * A provider's public fields. They are listed explicitly, so a new column never leaks: no email, mpxapi, wordpress_id
 * or lead counts. Names and casing are the specification's.
 */
export const publicProvider = z
  .object({
    id: z.number().int(),
    name: z.string(),
    practiceName: z.string().nullable(),
    address: z.string().nullable(),
    zipCode: z.string(),
    status: z.enum(['t', 'f']),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    phone: z.string().nullable(),
    website: z.string().nullable(),
    url: z.string().nullable(),
    domain: z.string().nullable(),
    image_url: z.string().nullable(),
    logo_url: z.string().nullable(),
    accepts_free_consultation: z.boolean(),
    accepts_financing: z.boolean(),
  })
  .meta({ id: 'Provider', description: 'A provider as anyone sees it' });
export type PublicProvider = z.output<typeof publicProvider>;

export const providerGetInput = z.object({ id: z.number().int().positive() });
export const providerByDomainInput = z.object({ hostname: z.string().min(1).max(253) });
