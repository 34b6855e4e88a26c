import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { X } from '#client/ui/Icon.tsx';
import { listedFilter } from '#shared/admin/adminLeads.ts';
import { leadCopy, leadFilterCopy } from '#shared/admin/leadCopy.ts';
import { taskCopy } from '#shared/admin/taskCopy.ts';
import { outcomeFilterName } from './copy.ts';
import type { LeadSearchFilter } from './leadSearch.ts';

const copy = leadFilterCopy;

interface FilterChipsProps {
  filter: LeadSearchFilter;
  getName: (providerId: number) => string;
  onFilter: (filter: LeadSearchFilter) => void;
  /** The last chip, which has the focus, is about to disappear. */
  onCleared: () => void;
}

function listChips(
  filter: LeadSearchFilter,
  getName: (providerId: number) => string,
): { key: keyof LeadSearchFilter; label: string }[] {
  const {
    search,
    providerId,
    match,
    quarantined,
    overLimit,
    repeat,
    deleted,
    status,
    outcome,
    delivery,
    task,
    from,
    to,
  } = filter;
  const isDefault =
    quarantined === undefined ||
    listedFilter({ ...filter, quarantined: undefined }).quarantined === quarantined;
  const chips: { key: keyof LeadSearchFilter; label: string | undefined }[] = [
    { key: 'search', label: search && copy.searchIs(search) },
    { key: 'providerId', label: providerId === undefined ? undefined : copy.providerIs(getName(providerId)) },
    { key: 'match', label: match && copy[match] },
    { key: 'status', label: status && copy.statusIs(leadCopy.crm[status]) },
    {
      key: 'quarantined',
      label: isDefault ? undefined : quarantined ? copy.quarantined : copy.notQuarantined,
    },
    { key: 'overLimit', label: overLimit === true ? copy.overLimit : undefined },
    { key: 'repeat', label: repeat === undefined ? undefined : repeat ? copy.repeat : copy.notRepeat },
    { key: 'deleted', label: deleted === true ? copy.onlyDeleted : undefined },
    { key: 'outcome', label: outcome && copy.outcomeIs(outcomeFilterName(outcome)) },
    { key: 'delivery', label: delivery && copy.deliveries[delivery] },
    { key: 'task', label: task && taskCopy[task].title },
    { key: 'from', label: from && copy.since(from) },
    { key: 'to', label: to && copy.until(to) },
  ];
  return chips.flatMap(({ key, label }) => (label === undefined || label === '' ? [] : [{ key, label }]));
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ filter, getName, onFilter, onCleared }: FilterChipsProps) {
  const chips = listChips(filter, getName);
  if (chips.length === 0) return null;

  function remove(key: keyof LeadSearchFilter, chip: HTMLElement): void {
    if (chips.length === 1) onCleared();
    else chip.closest('li')?.nextElementSibling?.querySelector('button')?.focus();
    onFilter({ ...filter, [key]: undefined });
  }

  return (
    <Row as="ul">
      {chips.map(({ key, label }) => (
        <li key={key}>
          <Chip
            type="button"
            aria-label={copy.removeFilter(label)}
            onClick={(event) => remove(key, event.currentTarget)}
          >
            {label}
            <X />
          </Chip>
        </li>
      ))}
      <li>
        <ActionButton
          variant="quiet"
          onClick={() => {
            onCleared();
            onFilter({});
          }}
        >
          {copy.clear}
        </ActionButton>
      </li>
    </Row>
  );
}

const Chip = styled.button`
  display: inline-flex;
  align-items: center;
  gap: 0.375rem;
  min-block-size: 2rem;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  padding: 0.25rem 0.625rem 0.25rem 0.875rem;
  border: 1px solid ${token.line};
  border-radius: ${token.pill};
  background: ${token.tint};
  color: ${token.primary};
  font-size: 0.875rem;
  font-weight: 600;
  line-height: 1.3;
  text-align: start;
  overflow-wrap: anywhere;
  cursor: pointer;

  &:hover {
    border-color: ${token.secondary};
  }

  & > svg {
    inline-size: 0.875rem;
  }
`;
