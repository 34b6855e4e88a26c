import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { failureText } from '#client/features/admin/reports.ts';
import { startDownload } from '#client/features/admin/startDownload.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Alert } from '#client/ui/Alert.tsx';
import { Button } from '#client/ui/Button.tsx';
import { Card } from '#client/ui/Card.tsx';
import { Download } from '#client/ui/Icon.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';
import { adminWords } from '#shared/adminWords.ts';
import type { InsightFigure, InsightsRange } from '#shared/insights.ts';
import { insightWords } from '#shared/insightWords.ts';
import { CardSkeleton } from './CardSkeleton.tsx';
import { insightsCsvHref } from './insightAddress.ts';
import type { InsightQuery } from './useInsights.ts';

interface InsightCardProps<Data> {
  figure: InsightFigure;
  range: InsightsRange;
  words: { title: string; failed: string; empty: string; emptyText?: string };
  query: InsightQuery<Data>;
  isEmpty: (data: Data) => boolean;
  /** The one number of it all, and a line about it. */
  headline: (data: Data) => { figure: string; note: string };
  /** What stands at the foot also when there is nothing else. */
  foot?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** One figure: its number, its chart and table, its file; or why there is none. */
export function InsightCard<Data>({
  figure,
  range,
  words,
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
      <Head>
        <SmallTitle as="h2" id={titleId}>
          {words.title}
        </SmallTitle>
        <Button
          variant="secondary"
          size="small"
          aria-label={insightWords.exportOf(words.title)}
          disabled={shown === undefined}
          onClick={() => startDownload(insightsCsvHref(figure, range))}
        >
          <Download />
          <span>
            <Verb>{insightWords.exportVerb} </Verb>
            {insightWords.csv}
          </span>
        </Button>
        {shown === undefined ? null : <Headline {...headline(shown)} />}
      </Head>
      {hasFailed ? (
        <Alert title={adminWords.error} message={failureText(error, words.failed)}>
          <Button variant="secondary" size="small" onClick={() => void refetch()}>
            {adminWords.retry}
          </Button>
        </Alert>
      ) : null}
      {!hasFailed && data === undefined ? <CardSkeleton label={insightWords.loading} /> : null}
      {!hasFailed && data !== undefined && shown === undefined ? (
        <Nothing>
          <p>{words.empty}</p>
          {words.emptyText === undefined ? null : <Why>{words.emptyText}</Why>}
        </Nothing>
      ) : null}
      {shown === undefined ? null : <Body $isOld={isPlaceholderData}>{children(shown)}</Body>}
      {foot}
    </Sheet>
  );
}

function Headline({ figure, note }: { figure: string; note: string }) {
  return (
    <Figure>
      <strong>{figure}</strong> <span>{note}</span>
    </Figure>
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

const Head = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  align-items: center;
  gap: 0.375rem 1rem;
`;

/** On a phone the title has its room. */
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
`;

const Body = styled.div<{ $isOld: boolean }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;
  opacity: ${({ $isOld }) => ($isOld ? 0.55 : 1)};
  transition: opacity 0.2s;
`;

const Nothing = styled.div`
  display: grid;
  place-content: center;
  justify-items: center;
  min-block-size: 11rem;
  padding: 1.5rem;
  border: 1px dashed ${token.inputLine};
  border-radius: ${token.radius};
  color: ${token.foreground};
  text-align: center;
`;

const Why = styled.p`
  color: ${token.muted};
  font-size: 0.9375rem;
`;
