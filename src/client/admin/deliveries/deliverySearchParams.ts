import { type DeliveryFilter, deliverySearch } from '#shared/admin/adminDeliveries.ts';
import { searchParams } from '#shared/admin/searchParams.ts';

/** The list's filter and page as the URL has them. */
export interface DeliverySearchParams {
  filter: DeliveryFilter;
  page: number;
}

/** With a prefix: the leads' filters are in the same URL. */
const codec = searchParams(deliverySearch, 'delivery');

/** Ignores values that are not valid. */
export function readSearchParams(params: URLSearchParams): DeliverySearchParams {
  const { page, endpoint: endpointId, event: eventType, lead: leadId, ...rest } = codec.read(params);
  return { filter: { ...rest, endpointId, eventType, leadId }, page };
}

/** Returns a copy of `params` with this filter and page. Other parameters stay; defaults are left out. */
export function writeSearchParams(
  params: URLSearchParams,
  { filter, page }: DeliverySearchParams,
): URLSearchParams {
  const { endpointId: endpoint, eventType: event, leadId: lead, ...rest } = filter;
  return codec.write(params, { ...rest, endpoint, event, lead, page });
}

export function isFiltered(filter: DeliveryFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
