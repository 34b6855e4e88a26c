import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { useDownload } from '#client/admin/kit/useDownload.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Download } from '#client/ui/Icon.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { insightCopy } from './copy.ts';

/** A number with a line of text. */
export interface Headline {
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
export function CardHead({ titleId, title, csvHref, headline }: CardHeadProps) {
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
