import type { Ref } from 'react';
import { styled } from 'styled-components';
import { emptyKind, EmptyState } from '#client/admin/kit/EmptyState.tsx';
import type { Selection } from '#client/admin/kit/listHooks.ts';
import { leadFilterCopy, leadCopy } from '#shared/admin/leadCopy.ts';
import { filterQuery, type LeadSearchControl } from './leadSearch.ts';
import { LeadTable } from './LeadTable.tsx';
import type { LeadActions } from './useLeadActions.ts';
import type { useLeadList } from './useLeads.ts';

const emptyCopy = { ...leadCopy.empty, clear: leadFilterCopy.clear };

interface LeadResultsProps {
  ref: Ref<HTMLDivElement>;
  list: ReturnType<typeof useLeadList>;
  search: LeadSearchControl;
  buildLeadHref: (id: number) => string;
  now: number;
  selection: Selection;
  /** Null if staff may only read. */
  actions: LeadActions | null;
  isDeleted: boolean;
}

/** The page of leads, or the empty state. */
export function LeadResults({ ref, list, search, buildLeadHref, now, ...rest }: LeadResultsProps) {
  const { data, isFetching } = list;
  return (
    <FocusTarget ref={ref} tabIndex={-1} data-leads>
      <LeadTable
        leads={data?.leads ?? null}
        isRefreshing={isFetching}
        empty={
          <EmptyState
            copy={emptyCopy}
            kind={emptyKind(data?.total ?? 0, filterQuery(search.filter) !== '')}
            onFirstPage={() => search.setPage(1, null)}
            onClear={() => search.setFilter({})}
          />
        }
        now={now}
        buildHref={buildLeadHref}
        sort={search.sort}
        onSort={search.setSort}
        {...rest}
      />
    </FocusTarget>
  );
}

const FocusTarget = styled.div`
  /* It gets the focus after a button disappears, and shows no outline. */
  &:focus {
    outline: none;
  }
`;
