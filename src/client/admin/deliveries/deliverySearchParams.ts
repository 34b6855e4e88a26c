import { type DeliveryFilter, deliveryFilter, deliveryListInput } from '#shared/admin/adminDeliveries.ts';

/** The list's filter and page as the URL has them. */
export interface DeliverySearchParams {
  filter: DeliveryFilter;
  page: number;
}

/** Their own names: the leads' filters are in the same URL (leads/leadSearchParams.ts). */
const filterKeys = {
  state: 'deliveryState',
  channel: 'deliveryChannel',
  endpointId: 'deliveryEndpoint',
  eventType: 'deliveryEvent',
  leadId: 'deliveryLead',
  from: 'deliveryFrom',
  to: 'deliveryTo',
} as const satisfies Record<keyof DeliveryFilter, string>;
const pageKey = 'deliveryPage';
const names = ['state', 'channel', 'endpointId', 'eventType', 'leadId', 'from', 'to'] as const;

function positive(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
}

/** Ignores values that are not valid. */
export function readSearchParams(params: URLSearchParams): DeliverySearchParams {
  const { shape } = deliveryFilter;
  const text = (name: keyof DeliveryFilter): string | undefined => params.get(filterKeys[name]) ?? undefined;
  return {
    filter: {
      state: shape.state.safeParse(text('state')).data,
      channel: shape.channel.safeParse(text('channel')).data,
      endpointId: shape.endpointId.safeParse(text('endpointId')).data,
      eventType: shape.eventType.safeParse(text('eventType')).data,
      leadId: shape.leadId.safeParse(positive(params.get(filterKeys.leadId))).data,
      from: shape.from.safeParse(text('from')).data,
      to: shape.to.safeParse(text('to')).data,
    },
    page: deliveryListInput.shape.page.safeParse(positive(params.get(pageKey))).data ?? 1,
  };
}

/** Returns a copy of `params` with this filter and page. Other parameters stay; defaults are left out. */
export function writeSearchParams(
  params: URLSearchParams,
  { filter, page }: DeliverySearchParams,
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const key of [...Object.values(filterKeys), pageKey]) next.delete(key);
  for (const name of names) {
    const value = filter[name];
    if (value !== undefined) next.set(filterKeys[name], String(value));
  }
  if (page > 1) next.set(pageKey, String(page));
  return next;
}

export function isFiltered(filter: DeliveryFilter): boolean {
  return names.some((name) => filter[name] !== undefined);
}

/** The link from any tab to the deliveries that a filter matches. It closes an open lead. */
export function deliveriesHref(params: URLSearchParams, filter: DeliveryFilter): string {
  const next = writeSearchParams(params, { filter, page: 1 });
  next.set('tab', 'deliveries');
  next.delete('lead');
  return `?${next}`;
}
