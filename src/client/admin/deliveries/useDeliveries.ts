import { keepPreviousData } from '@tanstack/react-query';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportProblem, reportSuccess, withReport } from '#client/admin/kit/reports.ts';
import type { AdminDelivery, DeliveryListOutput, DeliverySearch } from '#shared/admin/adminDeliveries.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { withInstants } from '#shared/formats/day.ts';
import { deliveryListCopy as copy } from './copy.ts';

/** Between refetches of the queue's figures, and of a list with queued deliveries. */
export const refetchMs = 5_000;

/** Refetch while something is queued. */
function whileQueued({
  state: { data },
}: {
  state: { data: DeliveryListOutput | undefined };
}): number | false {
  return data?.deliveries.some(({ state }) => state === 'queued') === true ? refetchMs : false;
}

/** One page of deliveries, newest first. The page before stays until the next one arrives. */
export function useDeliveryList({
  endpoint: endpointId,
  event: eventType,
  lead: leadId,
  ...search
}: DeliverySearch) {
  const input = { ...withInstants(search), endpointId, eventType, leadId };
  const isKnown = adminApi.useUtils().admin.deliveries.list.getData(input) !== undefined;
  return adminApi.admin.deliveries.list.useQuery(input, {
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
    refetchInterval: whileQueued,
    // A person causes the first request of a page; refetches are automatic.
    trpc: { context: { isBackground: isKnown } },
  });
}

/** Makes one attempt of a delivery, and reports its result. */
export function useRetryDelivery() {
  return adminApi.admin.deliveries.retryNow.useMutation(
    withReport({
      failed: copy.retryFailed,
      onDone: reportRetried,
    }),
  );
}

function reportRetried({ state, reason, answerText }: AdminDelivery): void {
  if (state === 'delivered') {
    reportSuccess(copy.retried);
    return;
  }
  const why = [reason ?? copy.retryFailed, ...(answerText === null ? [] : [copy.answer(answerText)])].join(
    ' ',
  );
  reportProblem(adminCopy.error, state === 'queued' ? copy.retriedAgain(why) : why);
}

/** Queues deliveries for a retry, and reports how many were queued. */
export function useRetryDeliveries() {
  return adminApi.admin.deliveries.retry.useMutation(
    withReport({
      failed: copy.retryFailed,
      onDone: ({ queued }, { ids }) => reportQueued(queued.length, ids.length),
    }),
  );
}

function reportQueued(queued: number, requested: number): void {
  if (queued === 0) reportProblem(copy.notQueued, copy.noneQueued(requested));
  else if (queued === requested) reportSuccess(copy.allQueued(queued));
  else reportSuccess(copy.someQueued(queued, requested));
}
