import { styled } from 'styled-components';
import { Link } from 'wouter';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { listedFilter } from '#shared/admin/adminLeads.ts';
import { worklistCopy as copy } from '#shared/admin/leadCopy.ts';
import { worklistCountMax, worklistFilters } from '#shared/admin/worklist.ts';
import { filterQuery, type LeadSearchFilter } from './leadSearch.ts';

const groups = [
  'clinic',
  'crm',
  'unmatched',
  'overdue',
  'overLimit',
  'quarantined',
  'returned',
  'phone',
  'mailbox',
  'replies',
] as const;

interface WorklistProps {
  filter: LeadSearchFilter;
  buildHref: (filter: LeadSearchFilter) => string;
}

/** The number of leads that need work, by kind. Each links to its leads; the current one links back to all leads. */
export function Worklist({ filter, buildHref }: WorklistProps) {
  const { data } = adminApi.admin.leads.worklist.useQuery();
  const shown = filterQuery(listedFilter(filter));
  return (
    <Row as="nav" aria-label={copy.label}>
      <Label>{copy.label}</Label>
      {groups.map((group) => {
        const isShown = filterQuery(listedFilter(worklistFilters[group])) === shown;
        return (
          <Group
            key={group}
            href={buildHref(isShown ? {} : worklistFilters[group])}
            aria-current={isShown ? 'true' : undefined}
            data-urgent={group === 'clinic' && (data?.clinic ?? 0) > 0 ? '' : undefined}
          >
            {copy.groups[group]}
            <Count>{data === undefined ? '…' : copy.count(data[group], worklistCountMax)}</Count>
          </Group>
        );
      })}
    </Row>
  );
}

const Label = styled.span`
  margin-inline-end: 0.25rem;
  color: ${token.muted};
  font-size: 0.875rem;
  font-weight: 600;
`;

const Group = styled(Link)`
  display: inline-flex;
  align-items: center;
  gap: 0.5rem;
  min-block-size: 2.25rem;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  padding: 0.25rem 0.875rem;
  border: 1px solid ${token.line};
  border-radius: ${token.pill};
  color: ${token.primary};
  font-size: 0.875rem;
  font-weight: 600;
  line-height: 1.3;
  text-decoration: none;

  &:hover {
    border-color: ${token.secondary};
  }

  &[aria-current] {
    border-color: ${token.primary};
    background: ${token.tint};
  }

  /* Each of these leads is a person whom nobody calls. */
  &[data-urgent] {
    border-color: ${token.danger};
    background: color-mix(in srgb, ${token.danger} 5%, #ffffff);
    color: ${token.danger};
  }
`;

const Count = styled.span`
  color: ${token.muted};

  [data-urgent] > & {
    color: inherit;
  }

  font-variant-numeric: tabular-nums;
`;
