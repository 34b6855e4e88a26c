import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';

interface FactsProps {
  title: string;
  /** Pairs of name and value; a null value is left out. */
  facts?: readonly (readonly [name: string, value: ReactNode])[];
  children?: ReactNode;
}

/** A part of the drawer: its title, what is known in pairs, and whatever else. */
export function Facts({ title, facts = [], children }: FactsProps) {
  const known = facts.filter(([, value]) => value !== null && value !== '');
  return (
    <section>
      <PartTitle>{title}</PartTitle>
      {known.length === 0 ? null : (
        <Pairs>
          {known.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </Pairs>
      )}
      {children}
    </section>
  );
}

const PartTitle = styled(SmallTitle)`
  margin-block-end: 0.5rem;
  padding-block-end: 0.375rem;
  border-block-end: 1px solid ${token.line};
  font-size: 1.0625rem;
`;

const Pairs = styled.dl`
  display: grid;
  gap: 0.375rem;
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.45;

  & > div {
    display: grid;
    grid-template-columns: 7rem minmax(0, 1fr);
    gap: 0.75rem;
  }

  & dt {
    color: ${token.muted};
  }

  & dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
`;
