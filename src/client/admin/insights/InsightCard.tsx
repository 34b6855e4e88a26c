import { keepPreviousData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { Muted } from '#client/admin/kit/layout.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Card, SmallTitle } from '#client/ui/Section.tsx';
import type { InsightFigure, InsightsRange } from '#shared/admin/insights.ts';
import { CardSkeleton } from './CardSkeleton.tsx';
import { insightCopy } from './copy.ts';
import { insightsCsvHref } from './insightRange.ts';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { useDownload } from '#client/admin/kit/useDownload.ts';
import { Download } from '#client/ui/Icon.tsx';

/** The parts of a query that a card uses. */
export interface InsightQuery<Data> {
  data: Data | undefined;
  error: unknown;
  /** The data is of the previous days while the requested ones load. */
  isPlaceholderData: boolean;
  refetch: () => Promise<unknown>;
}

/** The previous days stay until the requested ones have loaded. */
export const keptOptions = { placeholderData: keepPreviousData };

interface EmptyChartCopy {
  empty: string;
  emptyText?: string;
}

interface InsightCardProps<Data> {
  figure: InsightFigure;
  range: InsightsRange;
  copy: EmptyChartCopy & { title: string; failed: string };
  query: InsightQuery<Data>;
  isEmpty: (data: Data) => boolean;
  /** The total, with a line of text. */
  headline: (data: Data) => Headline;
  /** At the bottom, also if the card is empty. */
  foot?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** One figure: its total, chart, table and file, or why it is missing. */
export function InsightCard<Data>({
  figure,
  range,
  copy,
  query,
  isEmpty,
  headline,
  foot,
  children,
}: InsightCardProps<Data>) {
  const { data, error, isPlaceholderData, refetch } = query;
  const hasFailed = error !== null;
  const shown = hasFailed || data === undefined || isEmpty(data) ? undefined : data;
  const titleId = `insight-${figure}`;
  return (
    <Sheet
      as="section"
      aria-labelledby={titleId}
      aria-busy={!hasFailed && (data === undefined || isPlaceholderData)}
    >
      <CardHead
        titleId={titleId}
        title={copy.title}
        csvHref={shown === undefined ? null : insightsCsvHref(figure, range)}
        headline={shown === undefined ? null : headline(shown)}
      />
      {hasFailed ? <LoadFailure error={error} fallback={copy.failed} onRetry={() => void refetch()} /> : null}
      {!hasFailed && data === undefined ? <CardSkeleton label={insightCopy.loading} /> : null}
      {!hasFailed && data !== undefined && shown === undefined ? <EmptyChart copy={copy} /> : null}
      {shown === undefined ? null : <Body $isOld={isPlaceholderData}>{children(shown)}</Body>}
      {foot}
    </Sheet>
  );
}

function EmptyChart({ copy: { empty, emptyText } }: { copy: EmptyChartCopy }) {
  return (
    <Muted as="p" $size="0.9375rem">
      {emptyText === undefined ? empty : `${empty} ${emptyText}`}
    </Muted>
  );
}

const Sheet = styled(Card)`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;
  padding: 1.25rem;

  ${media.tablet} {
    padding: 1.75rem;
  }
`;

const Body = styled.div<{ $isOld: boolean }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;
  opacity: ${({ $isOld }) => ($isOld ? 0.55 : 1)};
  transition: opacity 0.2s;
`;

interface Headline {
  figure: string;
  note: string;
}

interface CardHeadProps {
  titleId: string;
  title: string;
  /** Null: there is no data to export. */
  csvHref: string | null;
  headline: Headline | null;
}

/** The title of a card, its export and its number. */
function CardHead({ titleId, title, csvHref, headline }: CardHeadProps) {
  const download = useDownload();
  return (
    <Head>
      <SmallTitle as="h2" id={titleId}>
        {title}
      </SmallTitle>
      <ActionButton
        aria-label={insightCopy.exportOf(title)}
        disabled={csvHref === null}
        onClick={() => (csvHref === null ? undefined : download(csvHref))}
      >
        <Download />
        <span>
          <Verb>{insightCopy.exportVerb} </Verb>
          {insightCopy.csv}
        </span>
      </ActionButton>
      {headline === null ? null : (
        <Figure>
          <strong>{headline.figure}</strong> <span>{headline.note}</span>
        </Figure>
      )}
    </Head>
  );
}

const Head = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  align-items: center;
  gap: 0.375rem 1rem;
`;

/** Hidden on a phone, where the title needs the space. */
const Verb = styled.span`
  display: none;

  ${media.tablet} {
    display: inline;
  }
`;

const Figure = styled.p`
  grid-column: 1 / -1;
  color: ${token.muted};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;

  & > strong {
    margin-inline-end: 0.375rem;
    color: ${token.primary};
    font-size: ${token.title};
    font-weight: 700;
    letter-spacing: -0.015em;
    line-height: 1.2;
  }

  /* A line of its own rather than a break after its first number. */
  & > span {
    display: inline-block;
  }
`;
