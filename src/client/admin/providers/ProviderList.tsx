import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { styled } from 'styled-components';
import { emptyKind, EmptyState } from '#client/admin/kit/EmptyState.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { useTypedSearch } from '#client/admin/kit/listHooks.ts';
import { media, noFocusRing, token } from '#client/theme/tokens.ts';
import { SmallTitle } from '#client/ui/Section.tsx';
import { SmallInput } from '#client/ui/DayInput.tsx';
import { SmallLabel } from '#client/ui/Select.tsx';
import { type AdminProvider, type ProviderGroup, providerGroups } from '#shared/admin/adminProviders.ts';
import { providerCopy } from './copy.ts';
import type { RowContext } from './ProviderRow.tsx';
import { ProviderRows } from './ProviderRows.tsx';

export type ProviderLists = Readonly<Record<ProviderGroup, AdminProvider[]>>;

interface ProviderListProps {
  lists: ProviderLists;
  /** In the search field, and in the URL once typing pauses. */
  search: string;
  onSearch: (search: string) => void;
  group: ProviderGroup;
  onGroup: (group: ProviderGroup) => void;
  row: RowContext;
}

/** One group of providers. The search applies while staff type. */
export function ProviderList({ lists, search: applied, onSearch, group, onGroup, row }: ProviderListProps) {
  const [search, setSearch] = useTypedSearch(applied, onSearch);
  const wanted = useDeferredValue(search);
  const found = useMemo(() => findIn(lists[group], wanted), [lists, group, wanted]);
  const title = useRef<HTMLHeadingElement>(null);
  const isLastGone = row.lastId !== null && !found.some(({ id }) => id === row.lastId);
  useEffect(() => {
    // Else the row of the provider whose page was open gets the focus back.
    if (isLastGone && document.activeElement === document.body) title.current?.focus();
  }, [isLastGone]);
  return (
    <Stack as="section" $gap="0.75rem" aria-labelledby="providers-list-title">
      <Head>
        <ListTitle as="h2" ref={title} tabIndex={-1} id="providers-list-title">
          {providerCopy.list}
        </ListTitle>
        <Toggles aria-label={providerCopy.group}>
          {providerGroups.map((one) => (
            <Toggle key={one} type="button" aria-pressed={one === group} onClick={() => onGroup(one)}>
              {providerCopy.counted(providerCopy[one], lists[one].length)}
            </Toggle>
          ))}
        </Toggles>
      </Head>
      <SmallLabel>
        <span>{providerCopy.search}</span>
        <SmallInput
          type="search"
          value={search}
          placeholder={providerCopy.searchHint}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setSearch(event.target.value)}
        />
      </SmallLabel>
      <ResultCount>{wanted.trim() === '' ? '' : providerCopy.found(found.length)}</ResultCount>
      {found.length === 0 ? (
        <EmptyState
          kind={emptyKind(0, wanted.trim() !== '')}
          copy={{
            text: providerCopy.none[group](row.wordpressUrl !== null),
            filteredText: providerCopy.noneFound,
          }}
        />
      ) : (
        // A new key shows the first rows of another list.
        <ProviderRows key={`${group} ${wanted}`} providers={found} row={row} />
      )}
    </Stack>
  );
}

/** Each word must be found in some field. A phone number is also found by its digits only. */
function findIn(providers: AdminProvider[], search: string): AdminProvider[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return providers;
  return providers.filter(({ name, practiceName, address, zipCode, email, domain, phone }) => {
    const digits = (phone ?? '').replace(/\D/g, '');
    const text = [name, practiceName, address, zipCode, email, domain, phone, digits].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const ListTitle = styled(SmallTitle)`
  ${noFocusRing}
`;

const Head = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.75rem;
`;

const Toggles = styled.fieldset`
  display: flex;
  gap: 0.25rem;
  padding: 0.1875rem;
  border-radius: ${token.pill};
  background: ${token.tint};
`;

const Toggle = styled.button`
  min-block-size: 2rem;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  padding: 0.25rem 0.875rem;
  border: 0;
  border-radius: ${token.pill};
  background: none;
  color: ${token.muted};
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
  font-weight: 600;
  cursor: pointer;

  &:hover {
    color: ${token.primary};
  }

  &[aria-pressed='true'] {
    background: ${token.primary};
    color: #ffffff;
  }
`;

const ResultCount = styled.output`
  color: ${token.muted};
  font-size: 0.875rem;

  &:empty {
    display: none;
  }
`;
