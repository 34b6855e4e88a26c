import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { DeliveryFilter } from '#shared/admin/adminDeliveries.ts';
import { deliveriesHref, type DeliveryView, readView, writeView } from './deliverySearchParams.ts';

export interface DeliveryViewControl {
  view: DeliveryView;
  /** From its first page. While someone types, each figure isn't a step of the browser's history. */
  setFilter: (filter: DeliveryFilter, isTyping?: boolean) => void;
  setPage: (page: number) => void;
  /** The address that shows what a filter lets through. */
  hrefOfFilter: (filter: DeliveryFilter) => string;
}

/** Filter and page: kept in the address. */
export function useDeliveryView(): DeliveryViewControl {
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => readView(params), [params]);
  return {
    view,
    setFilter: (filter, isTyping = false) =>
      setParams((now) => writeView(now, { filter, page: 1 }), { replace: isTyping }),
    setPage: (page) => setParams((now) => writeView(now, { ...readView(now), page })),
    hrefOfFilter: (filter) => deliveriesHref(params, filter),
  };
}
