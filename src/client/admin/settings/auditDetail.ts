import { instantText } from '#client/admin/kit/times.ts';

/** ISO 8601, in UTC. */
const isInstant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

type Detail = Readonly<Record<string, unknown>>;

export type ProviderNames = ReadonlyMap<number, string>;

/**
 * What an audit entry changed: `{ providerId: 4, paused: true }` as 'provider ID: 4, paused: yes'. Old values
 * follow the new ones: 'provider ID: 4 (was 7)'. Known providers have names: 'provider: Quay Clinic (was none)'.
 */
export function detailText({ before, ...detail }: Detail, providers: ProviderNames = new Map()): string {
  const was: Detail = typeof before === 'object' && before !== null ? { ...before } : {};
  return Object.entries(detail)
    .filter(([name, value]) => !(name in was) || was[name] !== value)
    .map(([name, value]) => {
      const isNamed = name === 'providerId' && [value, was[name]].some((id) => providers.has(Number(id)));
      const toText = (one: unknown): string =>
        (isNamed ? providers.get(Number(one)) : undefined) ?? valueText(one);
      const text = `${isNamed ? 'provider' : nameText(name)}: ${toText(value)}`;
      return name in was ? `${text} (was ${toText(was[name])})` : text;
    })
    .join(', ');
}

/** 'matchRadiusMiles' as 'match radius miles'. */
function nameText(name: string): string {
  if (name === 'mpxapi') return 'CRM key';
  return name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replaceAll(/\bid\b/g, 'ID');
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number')
    return value.toLocaleString('en-US', { maximumFractionDigits: 1, useGrouping: false });
  if (typeof value === 'string' && isInstant.test(value)) return instantText(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  if (typeof value === 'object') return `(${detailText({ ...value })})`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
