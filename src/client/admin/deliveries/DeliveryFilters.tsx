import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useTypedSearch } from '#client/admin/kit/listHooks.ts';
import { media } from '#client/theme/tokens.ts';
import { DayInput, SmallInput } from '#client/ui/DayInput.tsx';
import { Select, type SelectOption, SmallLabel } from '#client/ui/Select.tsx';
import { deliveryEventTypes, type DeliverySearch } from '#shared/admin/adminDeliveries.ts';
import { deliveryChannelNames, deliveryChannels, deliveryStates } from '#shared/admin/deliveries.ts';
import { endpointHost, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { deliveryFilterCopy as copy, deliveryListCopy } from './copy.ts';

const all = { value: '', label: copy.all };
const stateOptions = [
  all,
  ...deliveryStates.map((value) => ({ value, label: deliveryListCopy.states[value] })),
];
const channelOptions = [
  all,
  ...deliveryChannels.map((value) => ({ value, label: deliveryChannelNames[value] })),
];
const leadChannelOptions = channelOptions.filter(({ value }) => value !== 'webhook');
const eventTypeOptions = [all, ...deliveryEventTypes.map((value) => ({ value, label: value }))];
/** JavaScript numbers with up to fifteen digits are exact. */
const leadDigitsMax = 15;

export type DeliverySearchFilter = Omit<DeliverySearch, 'page'>;

export function isFiltered(filter: DeliverySearchFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

interface DeliveryFiltersProps {
  filter: DeliverySearchFilter;
  /** Owners also see webhooks. */
  isOwner: boolean;
  onFilter: (filter: DeliverySearchFilter, isTyping?: boolean) => void;
}

/** The list's filters. A delivery must match each of them. */
export function DeliveryFilters({ filter, isOwner, onFilter }: DeliveryFiltersProps) {
  const change = (part: DeliverySearchFilter, isTyping = false): void =>
    onFilter({ ...filter, ...part }, isTyping);
  const [leadText, typeLead] = useTypedSearch(String(filter.lead ?? ''), (text) =>
    change({ lead: text === '' ? undefined : Number(text) }, true),
  );
  const canClear = isFiltered(filter);
  return (
    <Bar as="search" aria-label={copy.label}>
      <Select
        label={copy.state}
        options={stateOptions}
        value={filter.state ?? ''}
        onChoose={(value) => change({ state: deliveryStates.find((state) => state === value) })}
      />
      <Select
        label={copy.channel}
        options={isOwner ? channelOptions : leadChannelOptions}
        value={filter.channel ?? ''}
        onChoose={(value) => change({ channel: deliveryChannels.find((channel) => channel === value) })}
      />
      {isOwner ? <WebhookFilters filter={filter} onChange={change} /> : null}
      <LeadNumber>
        <span>{copy.lead}</span>
        <SmallInput
          inputMode="numeric"
          autoComplete="off"
          value={leadText}
          onChange={(event) => typeLead(leadNumberIn(event.target.value))}
        />
      </LeadNumber>
      <DayInput label={copy.from} value={filter.from} onChoose={(from) => change({ from })} />
      <DayInput label={copy.to} value={filter.to} onChoose={(to) => change({ to })} />
      {/* Always rendered, so that it keeps the focus after a press. */}
      <ActionButton
        variant="quiet"
        aria-disabled={!canClear}
        onClick={() => (canClear ? onFilter({}) : undefined)}
      >
        {copy.clear}
      </ActionButton>
    </Bar>
  );
}

interface WebhookFiltersProps {
  filter: DeliverySearchFilter;
  onChange: (part: DeliverySearchFilter) => void;
}

function WebhookFilters({ filter, onChange }: WebhookFiltersProps) {
  const endpoints = adminApi.admin.webhooks.list.useQuery().data?.endpoints ?? [];
  return (
    <>
      <Select
        label={copy.endpoint}
        options={[all, ...endpoints.map(endpointOption)]}
        value={filter.endpoint ?? ''}
        onChoose={(value) => onChange({ endpoint: value === '' ? undefined : value })}
      />
      <Select
        label={copy.eventType}
        options={eventTypeOptions}
        value={filter.event ?? ''}
        onChoose={(value) => onChange({ event: deliveryEventTypes.find((type) => type === value) })}
      />
    </>
  );
}

/** Two endpoints at one host differ by their description. */
function endpointOption(endpoint: WebhookEndpoint): SelectOption {
  const { id, description } = endpoint;
  const host = endpointHost(endpoint);
  return { value: id, label: description === '' ? host : `${description} (${host})` };
}

/** 'Lead #0042' as '42'. */
function leadNumberIn(text: string): string {
  return text.replaceAll(/\D/g, '').replace(/^0+/, '').slice(0, leadDigitsMax);
}

/** A row of its own on a phone, so that the two days share one. */
const LeadNumber = styled(SmallLabel)`
  grid-column: 1 / -1;

  ${media.tablet} {
    grid-column: auto;
  }
`;

const Bar = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
  align-items: end;
  gap: 0.75rem;

  & > button {
    min-block-size: 2.5rem;

    ${media.touch} {
      min-block-size: 2.75rem;
    }

    white-space: nowrap;
  }

  & > button[aria-disabled='true'] {
    opacity: 0.65;
    cursor: default;
  }
`;
