import { keepPreviousData } from '@tanstack/react-query';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import type { InsightsRange } from '#shared/admin/insights.ts';

/** The parts of a query that a card uses. */
export interface InsightQuery<Data> {
  data: Data | undefined;
  error: unknown;
  /** The data is of the previous days while the requested ones load. */
  isPlaceholderData: boolean;
  refetch: () => Promise<unknown>;
}

const options = { placeholderData: keepPreviousData };

export function useLeadsByDay(range: InsightsRange) {
  return adminApi.admin.insights.leadsByDay.useQuery(range, options);
}

export function useFirstDeliveries(range: InsightsRange) {
  return adminApi.admin.insights.firstDeliveries.useQuery(range, options);
}

export function useFirstContacts(range: InsightsRange) {
  return adminApi.admin.insights.firstContacts.useQuery(range, options);
}

export function useDeliveryHealth(range: InsightsRange) {
  return adminApi.admin.insights.deliveryHealth.useQuery(range, options);
}

export function useFormCompletion(range: InsightsRange) {
  return adminApi.admin.insights.formCompletion.useQuery(range, options);
}

export function useDemand(range: InsightsRange) {
  return adminApi.admin.insights.demand.useQuery(range, options);
}
