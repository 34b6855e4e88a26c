import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { testimonials } from '#shared/brand/recruitment.ts';
import { meets } from '#test/support/meets.ts';
import { TestimonialQuote } from './OptionalSections.tsx';

const testimonial = { quote: 'It works.', author: 'Dr. Ivo Dunmere', role: 'Urologist' };

test('a testimonial is text and loads nothing', () => {
  meets('D.copy.22 P2.recruit.11');
  const html = renderToStaticMarkup(<TestimonialQuote testimonial={testimonial}>Next</TestimonialQuote>);
  for (const text of [testimonials.label, ...Object.values(testimonial)]) expect(html).toContain(text);
  expect(html).not.toMatch(/<(?:img|iframe|video|picture|object)\b|\bsrc=|url\(/);
});

test('without a testimonial its anchor leads to the next section', () => {
  meets('D.copy.09');
  const html = renderToStaticMarkup(<TestimonialQuote testimonial={null}>Next</TestimonialQuote>);
  expect(html).toBe(`<div id="${testimonials.id}">Next</div>`);
});
