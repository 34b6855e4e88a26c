import type { PublicProvider } from '#shared/providers/providers.ts';
import { providers, type ProviderRow } from '../db/schema/index.ts';

/** The columns of public responses. Public queries select only these: secrets never leave the database. */
export const publicColumns = {
  id: providers.id,
  name: providers.name,
  practiceName: providers.practiceName,
  address: providers.address,
  zipCode: providers.zipCode,
  status: providers.status,
  latitude: providers.latitude,
  longitude: providers.longitude,
  phone: providers.phone,
  website: providers.website,
  url: providers.url,
  domain: providers.domain,
  imageUrl: providers.imageUrl,
  logoUrl: providers.logoUrl,
  acceptsFreeConsultation: providers.acceptsFreeConsultation,
  acceptsFinancing: providers.acceptsFinancing,
} as const;

export type PublicRow = Pick<ProviderRow, keyof typeof publicColumns>;

/** A provider's public fields, under the specification's names. Listed explicitly, so that a new column never leaks. */
export function toPublicProvider(row: PublicRow): PublicProvider {
  return {
    id: row.id,
    name: row.name,
    practiceName: row.practiceName,
    address: row.address,
    zipCode: row.zipCode,
    status: row.status,
    latitude: row.latitude,
    longitude: row.longitude,
    phone: row.phone,
    website: row.website,
    url: row.url,
    domain: row.domain,
    image_url: row.imageUrl,
    logo_url: row.logoUrl,
    accepts_free_consultation: row.acceptsFreeConsultation,
    accepts_financing: row.acceptsFinancing,
  };
}
