import { expect, test } from 'vitest';
import { navLinks } from './navLinks.ts';

test('the main site has the specified links, as anchors on the landing page', () => {
  expect(navLinks('landing', false)).toEqual({
    links: [
      { label: 'How It Works', href: '#how-it-works' },
      { label: 'Results', href: '#size-calculator' },
      { label: 'FAQs', href: '#faq' },
      { label: 'Provider Map', href: '/map' },
    ],
    action: { label: 'Find a Provider', href: '#provider-form' },
  });
});

test('from other pages the anchors lead to the home page', () => {
  const { links, action } = navLinks('policy', false);
  expect(links[0]?.href).toBe('/#how-it-works');
  expect(action.href).toBe('/#provider-form');
});

test("a clinic's site sends nobody to other clinics", () => {
  const { links, action } = navLinks('microsite', true);
  expect(links.map(({ label }) => label)).toEqual(['How It Works', 'Results', 'FAQs']);
  expect(action).toEqual({ label: 'Contact the Clinic', href: '#provider-form' });
});
