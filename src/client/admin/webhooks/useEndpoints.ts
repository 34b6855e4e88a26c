import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportSuccess } from '#client/admin/kit/reports.ts';
import { attemptText } from '#client/admin/kit/copy.ts';
import { showToast } from '#client/ui/Toast.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { endpointHost, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { endpointCopy as copy } from './copy.ts';

/** The endpoints, refetched each time the tab is opened. */
export function useEndpoints() {
  return adminApi.events.list.useQuery(undefined, { refetchOnMount: 'always' });
}

/** Refetches endpoints, and the deliveries that a change of one may have queued, cancelled or deleted. */
export function useRefreshEndpoints(): () => Promise<void> {
  const utils = adminApi.useUtils();
  return async () => {
    await Promise.all([utils.events.invalidate(), utils.deliveries.invalidate()]);
  };
}

/** Sends a test and reports the result. */
export function useTest(endpoint: WebhookEndpoint) {
  const refresh = useRefreshEndpoints();
  const host = endpointHost(endpoint);
  return adminApi.events.test.useMutation({
    onSuccess: (result) => {
      if (result.delivered) reportSuccess(`${copy.tested(host)} (${attemptText(result)})`);
      else
        showToast({
          title: copy.testFailed(host),
          description: result.reason ?? adminCopy.error,
          tone: 'destructive',
        });
    },
    onError: (error) => reportFailure(error, copy.failed),
    onSettled: refresh,
  });
}

/** Switches an endpoint on without a dialog; switching off has one. */
export function useSwitchOn(endpoint: WebhookEndpoint) {
  const refresh = useRefreshEndpoints();
  return adminApi.events.switch.useMutation({
    onSuccess: () => reportSuccess(copy.switchedOn(endpointHost(endpoint))),
    onError: (error) => reportFailure(error, copy.failed),
    onSettled: refresh,
  });
}
