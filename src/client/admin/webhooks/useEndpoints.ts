import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { attemptText } from '#client/admin/kit/copy.ts';
import { reportProblem, reportSuccess, withReport } from '#client/admin/kit/reports.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { type AttemptResult, endpointHost, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { endpointCopy as copy } from './copy.ts';

/** The endpoints, refetched each time the tab is opened. */
export function useEndpoints() {
  return adminApi.admin.webhooks.list.useQuery(undefined, {
    refetchOnMount: 'always',
    select: ({ endpoints }) => endpoints,
  });
}

/** Refetches endpoints, and the deliveries that a change of one may have queued, cancelled or deleted. */
function useRefreshEndpoints(): () => Promise<unknown> {
  const utils = adminApi.useUtils();
  return () => Promise.all([utils.admin.webhooks.invalidate(), utils.admin.deliveries.invalidate()]);
}

/** Sends a test and reports the result. */
export function useTest(endpoint: WebhookEndpoint) {
  const refresh = useRefreshEndpoints();
  const host = endpointHost(endpoint);
  return adminApi.admin.webhooks.test.useMutation(
    withReport({ failed: copy.failed, onDone: (result) => reportTest(host, result), refresh }),
  );
}

function reportTest(host: string, result: AttemptResult): void {
  if (result.delivered) reportSuccess(`${copy.tested(host)} (${attemptText(result)})`);
  else reportProblem(copy.testFailed(host), result.reason ?? adminCopy.error);
}

/** Switches an endpoint on without a dialog; switching off has one. */
export function useSwitchOn(endpoint: WebhookEndpoint) {
  const refresh = useRefreshEndpoints();
  return adminApi.admin.webhooks.switch.useMutation(
    withReport({ done: copy.switchedOn(endpointHost(endpoint)), failed: copy.failed, refresh }),
  );
}

/** The form reports the result, also below. */
export function useSwitchOff() {
  const refresh = useRefreshEndpoints();
  return adminApi.admin.webhooks.switch.useMutation(withReport({ refresh }));
}

/** The result contains the secret, so it is not cached. */
export function useCreateEndpoint() {
  const refresh = useRefreshEndpoints();
  return adminApi.admin.webhooks.create.useMutation({ ...withReport({ refresh }), gcTime: 0 });
}

/** The result contains the secret, so it is not cached. */
export function useRotateSecret() {
  const refresh = useRefreshEndpoints();
  return adminApi.admin.webhooks.rotate.useMutation({ ...withReport({ refresh }), gcTime: 0 });
}

export function useUpdateEndpoint() {
  const refresh = useRefreshEndpoints();
  return adminApi.admin.webhooks.update.useMutation(withReport({ refresh }));
}

export function useRemoveEndpoint() {
  const refresh = useRefreshEndpoints();
  return adminApi.admin.webhooks.remove.useMutation(withReport({ refresh }));
}

export function useReplaySince() {
  const utils = adminApi.useUtils();
  return adminApi.admin.webhooks.replaySince.useMutation(
    withReport({ refresh: () => utils.admin.deliveries.invalidate() }),
  );
}
