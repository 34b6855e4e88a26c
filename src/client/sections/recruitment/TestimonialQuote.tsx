import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Section } from '#client/ui/Section.tsx';
import type { Testimonial } from '#shared/pages/brandContent.ts';
import { testimonials } from '#shared/brand/recruitment.ts';

interface TestimonialQuoteProps {
  testimonial: Testimonial | null;
  /** The section after it. */
  children: ReactNode;
}

/** A provider's testimonial and the section after it, which has the anchor of both if the brand has no testimonial. */
export function TestimonialQuote({ testimonial, children }: TestimonialQuoteProps) {
  if (testimonial === null) return <AnchorBefore id={testimonials.id}>{children}</AnchorBefore>;
  return (
    <>
      <Quote testimonial={testimonial} />
      {children}
    </>
  );
}

function Quote({ testimonial: { quote, author, role } }: { testimonial: Testimonial }) {
  return (
    <Section id={testimonials.id} labelledBy="testimonial-label">
      <Figure>
        <figcaption>
          <Label id="testimonial-label">{testimonials.label}</Label>
          <strong>{author}</strong>, {role}
        </figcaption>
        <blockquote>{quote}</blockquote>
      </Figure>
    </Section>
  );
}

const Figure = styled.figure`
  display: grid;
  gap: 1.5rem;
  max-inline-size: 46rem;
  margin: 0 auto;

  & > blockquote {
    order: -1;
    margin: 0;
    color: var(--surface-heading);
    font-size: clamp(${token.titleSmall}, 1rem + 2vw, ${token.titleLarge});
    font-weight: 600;
    letter-spacing: -0.015em;
    line-height: 1.3;
    text-wrap: balance;
  }

  & > blockquote::before {
    content: '“';
  }

  & > blockquote::after {
    content: '”';
  }
`;

const Label = styled.h2`
  margin-block-end: 0.25rem;
  color: var(--surface-accent);
  font-size: 0.9375rem;
  font-weight: 600;
  letter-spacing: 0.01em;
`;

interface AnchorBeforeProps {
  /** Of a section that isn't shown. */
  id: string;
  /** The section after it. */
  children: ReactNode;
}

/** Keeps the anchor of a section that isn't shown: links to it lead to the section after it, not to an empty place. */
export function AnchorBefore({ id, children }: AnchorBeforeProps) {
  return <div id={id}>{children}</div>;
}
