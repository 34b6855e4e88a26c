import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Select } from '#client/ui/Select.tsx';
import { type MessageState, messageStates, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { messageCopy as copy } from '#client/admin/webhooks/copy.ts';
import { hostOf } from './useEndpoints.ts';

interface Filter {
  endpointId?: string;
  state?: MessageState;
}

interface MessageFiltersProps {
  endpoints: readonly WebhookEndpoint[];
  filter: Filter;
  onChoose: (filter: Filter) => void;
  /** What can be pressed beside them. */
  children: ReactNode;
}

const stateOptions = [
  { value: '', label: copy.anyState },
  ...messageStates.map((state) => ({ value: state, label: copy.states[state] })),
];

/** An endpoint as a choice; two at one host differ by what they are. */
export function endpointOption(endpoint: WebhookEndpoint): { value: string; label: string } {
  const { id, description } = endpoint;
  return { value: id, label: description === '' ? hostOf(endpoint) : `${description} (${hostOf(endpoint)})` };
}

/** Which messages are shown. */
export function MessageFilters({ endpoints, filter, onChoose, children }: MessageFiltersProps) {
  const { endpointId, state } = filter;
  return (
    <Bar as="search" aria-label={copy.list}>
      <Select
        label={copy.endpoint}
        options={[{ value: '', label: copy.anyEndpoint }, ...endpoints.map(endpointOption)]}
        value={endpointId ?? ''}
        onChoose={(id) =>
          onChoose({ ...(state === undefined ? {} : { state }), ...(id === '' ? {} : { endpointId: id }) })
        }
      />
      <Select
        label={copy.state}
        options={stateOptions}
        value={state ?? ''}
        onChoose={(value) => {
          const chosen = messageStates.find((known) => known === value);
          onChoose({
            ...(endpointId === undefined ? {} : { endpointId }),
            ...(chosen === undefined ? {} : { state: chosen }),
          });
        }}
      />
      {children}
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: end;
  gap: 0.75rem;

  & > label {
    flex: 0 1 16rem;
  }
`;
