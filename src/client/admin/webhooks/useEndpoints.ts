import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportSuccess } from '#client/admin/kit/reports.ts';
import { showToast } from '#client/ui/Toast.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import type { AttemptResult, WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { endpointCopy } from '#client/admin/webhooks/copy.ts';

/** The endpoints there are, asked for each time the tab is opened. */
export function useEndpoints() {
  return adminApi.events.list.useQuery(undefined, { refetchOnMount: 'always' });
}

/** By what an endpoint is called: its host. The rest of its address may be long, and secret. */
export function hostOf({ url }: Pick<WebhookEndpoint, 'url'>): string {
  return new URL(url).host;
}

/** Lists endpoints and messages anew after a change. */
export function useEventsAnew(): () => Promise<void> {
  const utils = adminApi.useUtils();
  return () => utils.events.invalidate();
}

/** Sends a test, and says how it ended. */
export function useTest(endpoint: WebhookEndpoint) {
  const anew = useEventsAnew();
  const host = hostOf(endpoint);
  return adminApi.events.test.useMutation({
    onSuccess: (result) => {
      if (result.delivered) reportSuccess(`${endpointCopy.tested(host)} (${answerText(result)})`);
      else
        showToast({
          title: endpointCopy.testFailed(host),
          description: result.reason ?? adminCopy.error,
          tone: 'destructive',
        });
    },
    onError: (error) => reportFailure(error, endpointCopy.failed),
    onSettled: anew,
  });
}

/** 'HTTP 200 after 120 ms' */
export function answerText({ status, duration_ms }: Pick<AttemptResult, 'status' | 'duration_ms'>): string {
  const ms = `${duration_ms.toLocaleString('en-US')} ms`;
  return status === null ? ms : endpointCopy.answered(status, ms);
}

/** Switches an endpoint on at once; off is asked about first. */
export function useSwitchOn(endpoint: WebhookEndpoint) {
  const anew = useEventsAnew();
  return adminApi.events.switch.useMutation({
    onSuccess: () => reportSuccess(endpointCopy.switchedOn(hostOf(endpoint))),
    onError: (error) => reportFailure(error, endpointCopy.failed),
    onSettled: anew,
  });
}
