import { type DeliveryFilter, deliveryFilter, deliveryListInput } from '#shared/admin/adminDeliveries.ts';

/** What of the deliveries the address says to show. */
export interface DeliveryView {
  filter: DeliveryFilter;
  page: number;
}

/** Names of their own: the leads' filters stand in the same address (adminLeads/leadAddress.ts). */
const filterKeys = {
  state: 'deliveryState',
  channel: 'deliveryChannel',
  leadId: 'deliveryLead',
  from: 'deliveryFrom',
  to: 'deliveryTo',
} as const satisfies Record<keyof DeliveryFilter, string>;
const pageKey = 'deliveryPage';
const names = ['state', 'channel', 'leadId', 'from', 'to'] as const;

function positive(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
}

/** Whatever the address can't mean counts as left out. */
export function readView(params: URLSearchParams): DeliveryView {
  const { shape } = deliveryFilter;
  const text = (name: keyof DeliveryFilter): string | undefined => params.get(filterKeys[name]) ?? undefined;
  return {
    filter: {
      state: shape.state.safeParse(text('state')).data,
      channel: shape.channel.safeParse(text('channel')).data,
      leadId: shape.leadId.safeParse(positive(params.get(filterKeys.leadId))).data,
      from: shape.from.safeParse(text('from')).data,
      to: shape.to.safeParse(text('to')).data,
    },
    page: deliveryListInput.shape.page.safeParse(positive(params.get(pageKey))).data ?? 1,
  };
}

/** The address's query with a view in it; what else stands there stays, and what is usual is left out. */
export function writeView(params: URLSearchParams, { filter, page }: DeliveryView): URLSearchParams {
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

/** Where the deliveries that a filter lets through are shown, from whatever tab; an open lead is closed. */
export function deliveriesHref(params: URLSearchParams, filter: DeliveryFilter): string {
  const next = writeView(params, { filter, page: 1 });
  next.set('tab', 'deliveries');
  next.delete('lead');
  return `?${next}`;
}
