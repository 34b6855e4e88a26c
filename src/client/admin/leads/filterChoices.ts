import { crmStatuses, leadDeliveryFilters, listedFilter } from '#shared/admin/adminLeads.ts';
import { leadCopy, leadFilterCopy as copy, viewsCopy } from '#shared/admin/leadCopy.ts';
import { taskCopy } from '#shared/admin/taskCopy.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { outcomeFilterName } from './copy.ts';
import type { LeadSearchFilter } from './leadSearch.ts';

/** A filter with a few values. */
export interface FilterChoice {
  key: string;
  label: string;
  /** The first one is the default. */
  options: readonly { value: string; label: string }[];
  /** The chosen one; empty: the default. */
  value: string;
  /** What a choice changes in the filter. */
  choose: (value: string) => LeadSearchFilter;
}

const all = { value: '', label: copy.all };
const matches = ['matched', 'unmatched'] as const;
const outcomes = [...leadOutcomes, 'contacted', 'none', 'overdue'] as const;

function find<Value extends string>(values: readonly Value[], wanted: string): Value | undefined {
  return values.find((value) => value === wanted);
}

function truth(value: string): boolean | undefined {
  return value === '' ? undefined : value === 'true';
}

/** The filters that are a choice of a few values, in the order of the menu. */
export function listFilterChoices(filter: LeadSearchFilter): FilterChoice[] {
  return [
    {
      key: 'match',
      label: copy.match,
      options: [all, ...matches.map((value) => ({ value, label: copy[value] }))],
      value: filter.match ?? '',
      choose: (value) => ({ match: find(matches, value) }),
    },
    {
      key: 'status',
      label: copy.status,
      options: [all, ...crmStatuses.map((value) => ({ value, label: leadCopy.crm[value] }))],
      value: filter.status ?? '',
      choose: (value) => ({ status: find(crmStatuses, value) }),
    },
    {
      key: 'delivery',
      label: copy.delivery,
      options: [all, ...leadDeliveryFilters.map((value) => ({ value, label: copy.deliveries[value] }))],
      value: filter.delivery ?? '',
      choose: (value) => ({ delivery: find(leadDeliveryFilters, value) }),
    },
    {
      key: 'outcome',
      label: copy.outcome,
      options: [all, ...outcomes.map((value) => ({ value, label: outcomeFilterName(value) }))],
      value: filter.outcome ?? '',
      choose: (value) => ({ outcome: find(outcomes, value) }),
    },
    toQuarantineChoice(filter),
    {
      key: 'repeat',
      label: copy.repeats,
      options: [all, { value: 'true', label: copy.repeat }, { value: 'false', label: copy.notRepeat }],
      value: String(filter.repeat ?? ''),
      choose: (value) => ({ repeat: truth(value) }),
    },
    {
      key: 'deleted',
      label: copy.deleted,
      options: [
        { value: '', label: copy.notDeleted },
        { value: 'true', label: copy.onlyDeleted },
      ],
      value: filter.deleted === true ? 'true' : '',
      choose: (value) => ({ deleted: value === 'true' ? true : undefined }),
    },
  ];
}

/** Quarantined leads are hidden by default. A search and some filters include them unless they are hidden. */
function toQuarantineChoice(filter: LeadSearchFilter): FilterChoice {
  const hidden = { value: 'false', label: copy.hidden };
  const only = [
    { value: 'true', label: copy.quarantined },
    { value: 'over-limit', label: copy.overLimit },
  ];
  const others = { ...filter, quarantined: undefined, overLimit: undefined };
  const isHiddenByDefault = listedFilter(others).quarantined === false;
  const chosen = filter.overLimit === true ? 'over-limit' : String(filter.quarantined ?? '');
  return {
    key: 'quarantine',
    label: copy.quarantine,
    options: isHiddenByDefault ? [{ ...hidden, value: '' }, ...only] : [all, ...only, hidden],
    value: isHiddenByDefault && chosen === 'false' ? '' : chosen,
    choose: (value) =>
      value === 'over-limit'
        ? { quarantined: undefined, overLimit: true }
        : { quarantined: truth(value), overLimit: undefined },
  };
}

export interface FilterChip {
  key: keyof LeadSearchFilter;
  label: string;
}

/** The active filters. */
export function listFilterChips(
  filter: LeadSearchFilter,
  getName: (providerId: number) => string,
): FilterChip[] {
  const { search, providerId, match, quarantined, overLimit, repeat, deleted, status, outcome } = filter;
  const { delivery, task, followUp, from, to } = filter;
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
    {
      key: 'outcome',
      label: outcome === 'overdue' ? copy.overdue : outcome && copy.outcomeIs(outcomeFilterName(outcome)),
    },
    { key: 'delivery', label: delivery && copy.deliveries[delivery] },
    { key: 'task', label: task && taskCopy[task].title },
    { key: 'followUp', label: followUp && viewsCopy.names.followUp },
    { key: 'from', label: from && copy.since(from) },
    { key: 'to', label: to && copy.until(to) },
  ];
  return chips.flatMap(({ key, label }) => (label === undefined || label === '' ? [] : [{ key, label }]));
}
