import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { SmallTitle } from '#client/ui/text.tsx';
import { comparison } from '#shared/brand/variant.ts';

/** The options side by side, including doing nothing. */
export function Comparison() {
  const { labels, rows } = comparison;
  return (
    <TitledSection copy={comparison} titleId="options-title" tone="tint">
      <Rows>
        {rows.map(({ option, operation, examined, note, own }) => (
          <Row key={option} $own={own}>
            <SmallTitle>{option}</SmallTitle>
            <dl>
              <Fact label={labels.operation} value={operation} />
              <Fact label={labels.examined} value={examined} />
              <Fact label={labels.note} value={note} />
            </dl>
          </Row>
        ))}
      </Rows>
    </TitledSection>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const Rows = styled.ul`
  display: grid;
  gap: 1rem;
  margin-block-start: 3rem;

  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }

  ${media.desktop} {
    grid-template-columns: repeat(4, minmax(0, 1fr));
  }
`;

const Row = styled.li<{ $own: boolean }>`
  display: grid;
  grid-template-rows: auto 1fr;
  gap: 1.25rem;
  padding: 1.5rem;
  border: ${({ $own }) => ($own ? `2px solid ${token.secondary}` : `1px solid ${token.line}`)};
  border-radius: ${token.radius};
  background: ${token.background};

  ${media.desktop} {
    grid-template-rows: 3.5rem 1fr;
  }

  & dl {
    display: grid;
    align-content: start;
    gap: 0.875rem;
  }

  & dt {
    color: var(--surface-muted);
    font-size: 0.875rem;
    line-height: 1.4;
  }

  & dd {
    margin: 0;
    font-weight: 600;
    line-height: 1.45;
  }

  & div:last-child > dd {
    font-weight: 400;
  }
`;
