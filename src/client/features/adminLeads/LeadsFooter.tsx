import { styled } from 'styled-components';
import { zoneText } from '#client/features/admin/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { leadWords } from '#shared/adminLeadWords.ts';

interface LeadsFooterProps {
  total: number;
  isEstimate: boolean;
  page: number;
  pages: number;
  now: number;
  onPage: (page: number) => void;
}

/** How many there are, which page this is, and the way to the next. */
export function LeadsFooter({ total, isEstimate, page, pages, now, onPage }: LeadsFooterProps) {
  return (
    <Bar>
      <p>
        <output>{leadWords.total(total, isEstimate)}</output>
      </p>
      <p>{leadWords.zone(zoneText(now))}</p>
      <Pages aria-label={leadWords.pager}>
        <Button
          variant="secondary"
          size="small"
          disabled={page <= 1}
          onClick={() => onPage(Math.min(page - 1, pages))}
        >
          {leadWords.previous}
        </Button>
        <output>{leadWords.page(page, pages)}</output>
        <Button variant="secondary" size="small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
          {leadWords.next}
        </Button>
      </Pages>
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.5rem 1.5rem;
  color: ${token.muted};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
`;

const Pages = styled.nav`
  display: flex;
  align-items: center;
  gap: 0.75rem;
`;
