import { styled } from 'styled-components';
import { Link } from 'wouter';
import { media, token } from '#client/theme/tokens.ts';
import { ChevronDown } from '#client/ui/Icon.tsx';
import { Menu } from '#client/ui/Menu.tsx';
import { viewsCopy as copy } from '#shared/admin/leadCopy.ts';
import { worklistCountMax } from '#shared/admin/worklist.ts';
import {
  countText,
  inLine,
  inMenu,
  isShown,
  type LeadSearchControl,
  useWorklist,
  type View,
  views,
} from './leadSearch.ts';

interface LeadViewsProps {
  search: Pick<LeadSearchControl, 'filter' | 'setFilter' | 'buildHref'>;
  /** The number of all leads as text; null while it loads. */
  all: string | null;
  now: number;
}

/** Fixed filters with their number of leads. Those without leads are in the menu. */
export function LeadViews({ search: { filter, setFilter, buildHref }, all, now }: LeadViewsProps) {
  const { data } = useWorklist(now);
  const getCount = (view: View): string | null => (view === 'all' ? all : countText(data, view));
  const [listed, folded] = [
    inLine.filter((view) => isShown(filter, view) || (data?.[view] ?? 0) > 0),
    inLine.filter((view) => !isShown(filter, view) && data?.[view] === 0),
  ];
  const current = inMenu.filter((view) => isShown(filter, view));
  const line: View[] = ['all', ...listed, ...current];
  const menu: View[] = [...inMenu.filter((view) => !isShown(filter, view)), ...folded];
  const waiting =
    data === undefined ? 0 : inMenu.reduce((sum, view) => sum + (view === 'deleted' ? 0 : data[view]), 0);
  const more = waiting === 0 ? copy.more : `${copy.more} ${copy.count(waiting, worklistCountMax)}`;
  return (
    <Line aria-label={copy.label}>
      {line.map((view) => (
        <ViewLink
          key={view}
          href={buildHref(views[view])}
          aria-current={isShown(filter, view) ? 'true' : undefined}
          data-urgent={view === 'clinic' && (data?.clinic ?? 0) > 0 ? '' : undefined}
        >
          {copy.names[view]} <Count>{getCount(view)}</Count>
        </ViewLink>
      ))}
      <Menu
        label={more}
        trigger={
          <MoreButton type="button">
            {more}
            <ChevronDown />
          </MoreButton>
        }
        items={menu.map((view) => ({
          key: view,
          label: [copy.names[view], getCount(view)].filter((part) => part !== null).join(' '),
          onSelect: () => setFilter(views[view]),
        }))}
      />
    </Line>
  );
}

const Line = styled.nav`
  display: flex;
  align-items: center;
  gap: 1.25rem;
  border-block-end: 1px solid ${token.line};
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.25rem;
  white-space: nowrap;
  overflow: auto hidden;
  scrollbar-width: none;
`;

const viewLook = `
  display: inline-flex;
  flex: none;
  align-items: center;
  gap: 0.375rem;
  min-block-size: 2.25rem;
  padding: 0;
  border: 0;
  border-block-end: 2px solid transparent;
  background: none;
  color: ${token.ink};
  font: inherit;
  text-decoration: none;
  cursor: pointer;

  ${media.touch} {
    min-block-size: 2.75rem;
    min-inline-size: 2.75rem;
  }

  &:focus-visible {
    outline-offset: -3px;
  }
`;

const ViewLink = styled(Link)`
  ${viewLook}

  &:hover {
    border-color: ${token.line};
  }

  &[aria-current] {
    border-color: ${token.ink};
    font-weight: 600;
  }

  /* Each of these leads is a person whom nobody calls. */
  &[data-urgent] {
    color: ${token.danger};
  }
`;

const MoreButton = styled.button`
  ${viewLook}

  & > svg {
    inline-size: 0.875rem;
    block-size: 0.875rem;
  }
`;

const Count = styled.span`
  color: ${token.muted};
  font-weight: 400;

  [data-urgent] > & {
    color: inherit;
  }
`;
