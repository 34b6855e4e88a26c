import type { ZipPlace, ZipTable } from '../matching/zipTable.ts';
import { zipInText } from '#shared/leads/zip.ts';

/** The location of a lead's ZIP: its own center, else its prefix's, else null. */
export function placeOfZip(zipTable: ZipTable, zipCode: string): ZipPlace | null {
  const zip5 = zipInText(zipCode);
  return zip5 === null ? null : zipTable.lookup(zip5);
}

/** The origin of distances as a phrase for staff: '80202', 'the 802 area'. */
export function placeLabel(zipCode: string, { placement }: ZipPlace): string {
  const zip5 = zipInText(zipCode) ?? zipCode;
  return placement === 'zip' ? zip5 : `the ${zip5.slice(0, 3)} area`;
}
