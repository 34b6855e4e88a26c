import { keepPreviousData } from '@tanstack/react-query';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportSuccess } from '#client/admin/kit/reports.ts';
import { showToast } from '#client/ui/Toast.tsx';
import type { DeliveryListOutput } from '#shared/admin/adminDeliveries.ts';
import { deliveryListCopy as copy } from '#client/admin/deliveries/copy.ts';
import type { DeliveryView } from './deliverySearchParams.ts';

const lookAgainMs = 5_000;

/** While something is queued the page is looked at again. */
function untilOver({ state: { data } }: { state: { data: DeliveryListOutput | undefined } }): number | false {
  return data?.deliveries.some(({ state }) => state === 'queued') === true ? lookAgainMs : false;
}

/** One page of deliveries, newest first; the one before stays while it comes. */
export function useDeliveryList({ filter, page }: DeliveryView) {
  const input = { ...filter, page };
  const isKnown = adminApi.useUtils().deliveries.list.getData(input) !== undefined;
  return adminApi.deliveries.list.useQuery(input, {
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
    refetchInterval: untilOver,
    // Whoever turns to a page asks for it; after that it is looked at again by itself.
    trpc: { context: { isBackground: isKnown } },
  });
}

/** How the queue does, looked at again and again while the page is seen. */
export function useQueueHealth() {
  return adminApi.deliveries.queueHealth.useQuery(undefined, {
    refetchOnMount: 'always',
    refetchInterval: lookAgainMs,
    trpc: { context: { isBackground: true } },
  });
}

/** Has deliveries tried at once, and says how many of them are. */
export function useRetryDeliveries() {
  const utils = adminApi.useUtils();
  return adminApi.deliveries.retry.useMutation({
    onSuccess: ({ queued }, { ids }) => reportQueued(queued.length, ids.length),
    onError: (error) => reportFailure(error, copy.retryFailed),
    // A lead's CRM status follows what is pushed anew.
    onSettled: () => Promise.all([utils.deliveries.invalidate(), utils.adminLeads.invalidate()]),
  });
}

function reportQueued(queued: number, asked: number): void {
  if (queued === 0)
    showToast({ title: copy.notQueued, description: copy.noneQueued(asked), tone: 'destructive' });
  else if (queued === asked) reportSuccess(copy.allQueued(queued));
  else reportSuccess(copy.someQueued(queued, asked));
}
