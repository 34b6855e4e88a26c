/** What an audit entry changed, in words: `{ providerId: 4, paused: true }` as 'provider ID: 4, paused: yes'. */
export function detailText(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${nameText(name)}: ${valueText(value)}`)
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
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  if (typeof value === 'object') return `(${detailText({ ...value })})`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
