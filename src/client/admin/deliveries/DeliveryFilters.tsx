import { styled } from 'styled-components';
import { useTypedSearch } from '#client/admin/kit/useTypedSearch.ts';
import { Button } from '#client/ui/Button.tsx';
import { DayInput, SmallInput } from '#client/ui/DayInput.tsx';
import { Select, SmallLabel } from '#client/ui/Select.tsx';
import type { DeliveryFilter } from '#shared/admin/adminDeliveries.ts';
import { deliveryFilterCopy as copy, deliveryListCopy } from '#client/admin/deliveries/copy.ts';
import { deliveryChannelNames } from '#shared/admin/leadCopy.ts';
import { deliveryChannels, deliveryStates } from '#shared/admin/deliveries.ts';
import { isFiltered } from './deliverySearchParams.ts';

const all = { value: '', label: copy.all };
const stateOptions = [
  all,
  ...deliveryStates.map((value) => ({ value, label: deliveryListCopy.states[value] })),
];
const channelOptions = [
  all,
  ...deliveryChannels.map((value) => ({ value, label: deliveryChannelNames[value] })),
];
/** Fifteen figures are less than the largest number that is told exactly. */
const leadDigitsMax = 15;

interface DeliveryFiltersProps {
  filter: DeliveryFilter;
  onFilter: (filter: DeliveryFilter, isTyping?: boolean) => void;
}

/** Which deliveries are shown; each filter holds at once. */
export function DeliveryFilters({ filter, onFilter }: DeliveryFiltersProps) {
  const change = (part: DeliveryFilter, isTyping = false): void => onFilter({ ...filter, ...part }, isTyping);
  const [leadText, typeLead] = useTypedSearch(String(filter.leadId ?? ''), (text) =>
    change({ leadId: text === '' ? undefined : Number(text) }, true),
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
        options={channelOptions}
        value={filter.channel ?? ''}
        onChoose={(value) => change({ channel: deliveryChannels.find((channel) => channel === value) })}
      />
      <SmallLabel>
        <span>{copy.lead}</span>
        <SmallInput
          inputMode="numeric"
          autoComplete="off"
          value={leadText}
          onChange={(event) => typeLead(leadNumberIn(event.target.value))}
        />
      </SmallLabel>
      <DayInput label={copy.from} value={filter.from} onChoose={(from) => change({ from })} />
      <DayInput label={copy.to} value={filter.to} onChoose={(to) => change({ to })} />
      {/* It stays, so that whoever has pressed it keeps the focus. */}
      <Button
        variant="quiet"
        size="small"
        aria-disabled={!canClear}
        onClick={() => (canClear ? onFilter({}) : undefined)}
      >
        {copy.clear}
      </Button>
    </Bar>
  );
}

/** 'Lead #0042' as '42'. */
function leadNumberIn(text: string): string {
  return text.replaceAll(/\D/g, '').replace(/^0+/, '').slice(0, leadDigitsMax);
}

const Bar = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
  align-items: end;
  gap: 0.75rem;

  & > button {
    min-block-size: 2.5rem;
    white-space: nowrap;
  }

  & > button[aria-disabled='true'] {
    opacity: 0.65;
    cursor: default;
  }
`;
