import { createFieldMap, type FieldOverrides } from '#server/config/fieldMap.ts';
import { normalizeProvider } from '#server/features/sync/normalizeProvider.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';

const zipTable = loadZipTable();

export function normalize(
  record: unknown,
  {
    fields = {},
    media = new Map<number, string>(),
  }: { fields?: FieldOverrides; media?: Map<number, string> } = {},
) {
  const base = 'https://cms.example/blog/';
  return normalizeProvider(record, {
    fields: createFieldMap(fields),
    mainDomains: ['main.example'],
    zipTable,
    base,
    media,
    absent: [],
  });
}

export const acf = {
  address: '1 Sample Street, Denver, CO',
  zip_code: '80202',
  latitude: '39.7491',
  longitude: '-104.9946',
  phone: '(303) 555-0142',
  email: 'one@example.com',
};
export const record = {
  id: 12,
  status: 'publish',
  title: { rendered: 'Clinic One' },
  link: 'https://cms.example/p/1/',
  acf,
  meta: {},
};

/** The result of a record with these fields changed. */
export function row(changes: object, own: object = {}): unknown {
  const normalized = normalize({ ...record, ...own, acf: { ...acf, ...changes } });
  return normalized.kind === 'row' ? normalized.row : normalized;
}
