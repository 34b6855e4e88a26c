import type { Ref } from 'react';
import { styled } from 'styled-components';
import { EmptyState } from '#client/admin/kit/EmptyState.tsx';
import { leadFilterCopy, leadCopy } from '#shared/admin/leadCopy.ts';
import { filterQuery } from './leadSearch.ts';
import type { LeadActions } from './LeadRow.tsx';
import { LeadTable } from './LeadTable.tsx';
import type { useLeadList } from './useLeads.ts';
import type { LeadSearchControl } from './useLeadSearch.ts';
import type { Selection } from '../kit/useSelection.ts';

const emptyCopy = { ...leadCopy.empty, clear: leadFilterCopy.clear };

interface LeadResultsProps {
  ref: Ref<HTMLDivElement>;
  list: ReturnType<typeof useLeadList>;
  control: LeadSearchControl;
  hrefOfLead: (id: number) => string;
  now: number;
  selection: Selection;
  /** Null for who may only look. */
  actions: LeadActions | null;
}

/** The page of leads, or why there is none. */
export function LeadResults({ ref, list, control, hrefOfLead, now, selection, actions }: LeadResultsProps) {
  const { data, isFetching } = list;
  const { filter, sort, setFilter, setSort, setPage } = control;
  return (
    <Place ref={ref} tabIndex={-1} data-leads>
      {data?.leads.length === 0 ? (
        <EmptyState
          copy={emptyCopy}
          kind={data.total > 0 ? 'past' : filterQuery(filter) !== '' ? 'filtered' : 'none'}
          onFirstPage={() => setPage(1)}
          onClear={() => setFilter({})}
        />
      ) : (
        <LeadTable
          leads={data?.leads ?? null}
          isRefreshing={isFetching}
          now={now}
          hrefOf={hrefOfLead}
          sort={sort}
          onSort={setSort}
          selection={selection}
          actions={actions}
        />
      )}
    </Place>
  );
}

const Place = styled.div`
  /* It only takes the focus of a button that is gone. */
  &:focus {
    outline: none;
  }
`;
