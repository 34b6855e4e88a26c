import { expect, test } from 'vitest';
import { editHref } from './ProviderRow.tsx';

test('a provider of the configured site is edited there', () => {
  expect(editHref({ wordpress_id: 7, url: null }, 'https://cms.example/blog')).toBe(
    'https://cms.example/blog/wp-admin/post.php?post=7&action=edit',
  );
});

test('without one, on the site of its own page', () => {
  expect(editHref({ wordpress_id: 7, url: 'https://cms.example/providers/ann/' })).toBe(
    'https://cms.example/wp-admin/post.php?post=7&action=edit',
  );
});

test.each([
  { wordpress_id: null, url: 'https://cms.example/' },
  { wordpress_id: 7, url: null },
  { wordpress_id: 7, url: 'not an address' },
  { wordpress_id: 7, url: 'javascript:alert(1)' },
])('there is no link for $wordpress_id at $url', (provider) => {
  expect(editHref(provider)).toBeNull();
});
