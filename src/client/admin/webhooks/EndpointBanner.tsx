import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { dayText, instantText } from '#client/admin/kit/times.ts';
import { media } from '#client/theme/tokens.ts';
import { Alert } from '#client/ui/Alert.tsx';
import { endpointHost, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { bannerCopy, disabledCopy, endpointCopy } from './copy.ts';

/** Warns owners on every tab about endpoints that fail or were switched off for failing. */
export function EndpointBanner({ onOpen }: { onOpen: () => void }) {
  const { data } = adminApi.admin.webhooks.list.useQuery();
  const problems = (data?.endpoints ?? []).filter(hasProblem);
  if (problems.length === 0) return null;
  return (
    <Banners>
      {problems.map((endpoint) => (
        <Alert key={endpoint.id} {...toAlert(endpoint)}>
          <ActionButton onClick={onOpen}>{bannerCopy.open}</ActionButton>
        </Alert>
      ))}
    </Banners>
  );
}

function hasProblem({ state, disabled_reason }: WebhookEndpoint): boolean {
  return state === 'failing' || (state === 'off' && disabled_reason !== 'staff');
}

function toAlert(endpoint: WebhookEndpoint): { title: string; message: string } {
  const { disabled_at, disabled_reason, failures, failing_since } = endpoint;
  const host = endpointHost(endpoint);
  if (disabled_at !== null && disabled_reason !== null)
    return { title: bannerCopy.off(host), message: disabledCopy[disabled_reason](dayText(disabled_at)) };
  const since = failing_since === null ? '' : instantText(failing_since);
  return { title: bannerCopy.failing(host), message: endpointCopy.failures(failures, since) };
}

const Banners = styled.div`
  display: grid;
  gap: 0.5rem;

  /* On a phone, the button is below the text. */
  & > [role='alert'] > button {
    grid-column: 2;
    justify-self: start;

    ${media.tablet} {
      grid-column: 3;
    }
  }
`;
