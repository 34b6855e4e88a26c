import type { RefObject } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { CircleCheck } from '#client/ui/Icon.tsx';
import { SmallTitle, NoWrap } from '#client/ui/text.tsx';
import { applicationTexts } from '#shared/brand/application.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';

interface AppliedProps {
  /** Gets the focus when this replaces the form. */
  ref: RefObject<HTMLHeadingElement | null>;
  /** True at an address of its own, from which the form would otherwise not be reachable. */
  canApplyAgain: boolean;
}

const textId = 'applied-text';

/** Replaces the form once the application is stored, and lists the next steps. */
export function Applied({ ref, canApplyAgain }: AppliedProps) {
  const { title, text, nextTitle, next, again } = applicationTexts.applied;
  return (
    <div>
      <Mark>
        <CircleCheck strokeWidth={1.5} />
      </Mark>
      <Heading ref={ref} tabIndex={-1} aria-describedby={textId}>
        {title}
      </Heading>
      <Text id={textId}>
        <NoWrap text={text} />
      </Text>
      <NextTitle>{nextTitle}</NextTitle>
      <Next>
        {next.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </Next>
      {canApplyAgain ? (
        <Text>
          <a href={`${paths.recruitment}#${providerFormAnchor}`}>{again}</a>
        </Text>
      ) : null}
    </div>
  );
}

const Mark = styled.span`
  display: block;
  color: ${token.success};

  & > svg {
    inline-size: 3rem;
    block-size: 3rem;
  }
`;

const Heading = styled(SmallTitle)`
  margin-block: 1rem 0.75rem;
  font-size: ${token.title};

  &:focus {
    outline: none;
  }
`;

const Text = styled.p`
  font-size: ${token.textLarge};
  line-height: 1.6;
  text-wrap: pretty;
`;

const NextTitle = styled.h4`
  margin-block: 2rem 0.75rem;
  padding-block-start: 1.5rem;
  border-block-start: 1px solid var(--surface-line);
  font-size: ${token.textLarge};
`;

const Next = styled.ol`
  display: grid;
  gap: 0.75rem;
  margin-block-end: 1.5rem;
  padding-inline-start: 1.5rem;
  list-style: decimal;

  & > li {
    line-height: 1.6;
    text-wrap: pretty;
  }

  & > li::marker {
    color: var(--surface-accent);
    font-weight: 700;
  }
`;
