import { z } from 'zod';

/**
 * A provider's public fields. They are listed explicitly, so a new column never leaks: no email, mpxapi, wordpress_id
 * or lead counts. Names and casing are the specification's.
 */
export const publicProvider = z
  .object({
    id: z.number().int().meta({ description: 'The provider’s number' }),
    name: z.string().meta({ description: 'The person' }),
    practiceName: z.string().nullable().meta({ description: 'The clinic' }),
    address: z.string().nullable().meta({ description: 'In one line' }),
    zipCode: z.string().meta({ description: 'Five digits' }),
    status: z.enum(['t', 'f']).meta({ description: '`t`: active. `f`: inactive' }),
    latitude: z.number().nullable().meta({ description: 'Degrees' }),
    longitude: z.number().nullable().meta({ description: 'Degrees' }),
    phone: z.string().nullable().meta({ description: 'As the provider writes it' }),
    website: z.string().nullable().meta({ description: 'Its own site' }),
    url: z.string().nullable().meta({ description: 'A page about it' }),
    domain: z.string().nullable().meta({ description: 'The host of its microsite' }),
    image_url: z.string().nullable().meta({ description: 'A portrait' }),
    logo_url: z.string().nullable().meta({ description: 'The logo' }),
    accepts_free_consultation: z.boolean().meta({ description: 'Whether the first consultation is free' }),
    accepts_financing: z.boolean().meta({ description: 'Whether it offers payment plans' }),
  })
  .meta({ id: 'Provider', description: 'A provider as anyone sees it' });
export type PublicProvider = z.output<typeof publicProvider>;

export const providerGetInput = z.object({ id: z.number().int().positive() });
export const providerByDomainInput = z.object({
  hostname: z.string().min(1).max(253),
});
