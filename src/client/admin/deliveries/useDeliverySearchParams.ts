import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { DeliveryFilter } from '#shared/admin/adminDeliveries.ts';
import { type DeliverySearchParams, readSearchParams, writeSearchParams } from './deliverySearchParams.ts';

interface DeliverySearchParamsControl extends DeliverySearchParams {
  /** Shows the first page. While someone types, each character is not a step of the browser's history. */
  setFilter: (filter: DeliveryFilter, isTyping?: boolean) => void;
  setPage: (page: number) => void;
  /** The link to what a filter matches. */
  hrefOfFilter: (filter: DeliveryFilter) => string;
}

/** Filter and page, kept in the URL. */
export function useDeliverySearchParams(): DeliverySearchParamsControl {
  const [params, setParams] = useSearchParams();
  const current = useMemo(() => readSearchParams(params), [params]);
  return {
    ...current,
    setFilter: (filter, isTyping = false) =>
      setParams((now) => writeSearchParams(now, { filter, page: 1 }), { replace: isTyping }),
    setPage: (page) => setParams((now) => writeSearchParams(now, { ...readSearchParams(now), page })),
    hrefOfFilter: (filter) => `?${writeSearchParams(params, { filter, page: 1 })}`,
  };
}
